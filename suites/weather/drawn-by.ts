import { execFileSync } from 'node:child_process'
import { packageVersion } from '#devnet/base/package-version'
import { randomInt, seededRng } from '#protocol/random/rng'

/** The id that draws everything: no share is left out. */
export const DRAW_ALL = 'all'

/**
 * What decides which stories, planted bugs, mutants and swarm a run plays: the commit's id, so that every commit plays
 * others and each can be repeated. `ROLLBED_DRAW=ID` draws as that commit did, `ROLLBED_DRAW=all` plays every one.
 * Without git it is the version of the package.
 */
export const drawnBy: string = process.env.ROLLBED_DRAW || commit() || packageVersion

/**
 * The share of a list that an id draws, in the list's order; all of it for the id `all`.
 * @param part how much of the list, from 0 to 1; rounded up to whole entries
 * @example
 * drawShare('8f0c2d1', stories, 1 / 3)
 */
export function drawShare<T>(id: string, from: readonly T[], part: number): T[] {
  if (id === DRAW_ALL) return [...from]
  const rng = seededRng(`share ${id}`)
  const left = from.map((_, index) => index)
  const drawn = Array.from(
    { length: Math.ceil(from.length * part) },
    () => left.splice(randomInt(rng, left.length), 1)[0]!,
  )
  return drawn.sort((a, b) => a - b).map((index) => from[index]!)
}

/** How many of so many rounds a run plays: a part, rounded up; all of them for the id `all`. */
export function drawCount(id: string, count: number, part: number): number {
  return id === DRAW_ALL ? count : Math.ceil(count * part)
}

/** The seed of the swarm's first run that an id draws: a whole number of 32 bits. */
export function drawSeed(id: string): number {
  return randomInt(seededRng(`seed ${id}`), 2 ** 32)
}

function commit(): string | undefined {
  try {
    const git = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], git).trim()
  } catch {
    return undefined
  }
}
