import seed from './longest-first.json' with { type: 'json' }
import { drawShare } from './weather/drawn-by.ts'

/** So many of the files that take longest are drawn: together two thirds of the time of all. */
const DRAWN = 100

/** The files that a commit plays one of two of, the longest first. */
export const DRAWN_FILES: readonly string[] = Object.keys(seed).slice(0, DRAWN)

/**
 * The files that a run of all tests leaves to other commits: one of each two that take about as long, so that every
 * run takes about the same time.
 * @param id the commit's id; nothing is left out for the id `all`
 * @returns paths from the root of the project
 */
export function filesLeftOut(id: string, files: readonly string[] = DRAWN_FILES): string[] {
  const pairs = Array.from({ length: Math.ceil(files.length / 2) }, (_, index) =>
    files.slice(2 * index, 2 * index + 2),
  )
  return pairs.flatMap((pair, index) => {
    const played = drawShare(id === 'all' ? id : `files ${index} of ${id}`, pair, 1 / 2)
    return pair.filter((file) => !played.includes(file))
  })
}
