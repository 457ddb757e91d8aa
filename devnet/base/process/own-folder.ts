import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { makeFolder } from './make-folder.ts'

const STICKY = 0o1000
const OTHERS_MAY_WRITE = 0o022
const OTHERS_MAY_ANYTHING = 0o077
const ROOT = 0

/** Where the user's caches of rollbed lie. Source: XDG Base Directory Specification. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: caches = '' } = env
  // The specification has relative paths ignored.
  return join(isAbsolute(caches) ? caches : join(homedir(), '.cache'), 'rollbed')
}

/**
 * Makes a folder, or takes it as it is, when nobody but its owner can change what is in it or put
 * another in its place: ours, mode 0700, and no folder above it is another user's or open to others.
 *
 * @returns its real path; undefined when it cannot be had so
 */
export function ownFolder(path: string): string | undefined {
  const us = process.geteuid?.()
  // On Windows, caches are in the user's profile and modes mean nothing: not supported, so no cache.
  if (us === undefined) return undefined
  try {
    makeFolder(path)
    const { uid, mode } = lstatSync(path)
    const real = realpathSync(path)
    const isOurs = uid === us && lstatSync(real).isDirectory() && !(mode & OTHERS_MAY_ANYTHING)
    return isOurs && foldersAbove(real).every((above) => isSafe(lstatSync(above), us))
      ? real
      : undefined
  } catch {
    // Read-only, full, no home, a file in the way.
    return undefined
  }
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

/** In a sticky folder, as the temporary one, others cannot move what is ours. */
function isSafe({ uid, mode }: Stats, us: number): boolean {
  return (uid === us || uid === ROOT) && (!(mode & OTHERS_MAY_WRITE) || Boolean(mode & STICKY))
}
