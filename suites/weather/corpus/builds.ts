import { execFileSync } from 'node:child_process'
import { packageVersion } from '#devnet/base/package-version'

const GIT = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const

/** What is played here: the commit, with `-dirty` where files differ from it; without git the version. */
export function buildOf(): string {
  return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*') ?? packageVersion
}

/**
 * The commits after one build up to another, the oldest first, as `id author: subject`.
 * @returns undefined where git does not know both
 */
export function commitsBetween(before: string, after: string): string[] | undefined {
  const [from, to] = [before, after].map((build) => build.replace(/-dirty$/, ''))
  if (![from, to].every((build) => /^[0-9a-f]{7,40}$/.test(build!))) return undefined
  return git('log', '--reverse', '--format=%h %an: %s', `${from}..${to}`)?.split('\n')
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, GIT).trim() || undefined
  } catch {
    return undefined
  }
}
