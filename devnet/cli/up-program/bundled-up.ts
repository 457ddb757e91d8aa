import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const CHECKOUT = join(import.meta.dirname, '..', '..', '..')
/** The published package has it here. */
const PACKED = join(import.meta.dirname, 'run-up.mjs')
/** Where a checkout has it, from `npm ci` on. */
export const KEPT_IN = join('node_modules', '.cache', 'rollbed', 'up')
/** Beside it: what it was made of. */
export const MADE_OF = 'made-of.json'

export interface MadeOf {
  /** Of the checkout: another one may share its packages. */
  root: string
  /** Paths in the checkout, with what tells of a change. */
  files: Record<string, string>
}

/**
 * The URL of the bundle of `rollbed up`, where there is one and nothing that it was made of has changed
 * since: whoever works on the sources runs them.
 */
export function bundledUp(checkout: string = CHECKOUT): string | undefined {
  if (existsSync(PACKED)) return pathToFileURL(PACKED).href
  const kept = join(checkout, KEPT_IN)
  try {
    const { root, files }: MadeOf = JSON.parse(readFileSync(join(kept, MADE_OF), 'utf8'))
    const isFresh =
      root === checkout &&
      Object.entries(files).every(([file, state]) => stateOf(join(checkout, file)) === state)
    return isFresh ? pathToFileURL(join(kept, 'run-up.mjs')).href : undefined
  } catch {
    return undefined
  }
}

/** Differs once the file was written again. */
export function stateOf(path: string): string {
  const { mtimeMs, size } = statSync(path)
  return `${mtimeMs} ${size}`
}
