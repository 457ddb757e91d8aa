import seed from './longest-first.json' with { type: 'json' }
import { DRAW_ALL, drawShare } from './weather/drawn-by.ts'

/** So many of the files that take longest are drawn: together four fifths of the time of all. */
const DRAWN = 160
/** So many neighbours, of which a commit plays one. */
const NEIGHBOURS = 5

/** The files that a commit plays one of five of, the longest first. */
export const DRAWN_FILES: readonly string[] = Object.keys(seed).slice(0, DRAWN)

/**
 * The files that a run of all tests leaves to other commits: four of each five that take about as long, so that
 * every run takes about the same time.
 * @param id the commit's id; nothing is left out for the id `all`
 * @returns paths from the root of the project
 */
export function filesLeftOut(id: string, files: readonly string[] = DRAWN_FILES): string[] {
  const count = Math.ceil(files.length / NEIGHBOURS)
  const groups = Array.from({ length: count }, (_, index) =>
    files.slice(NEIGHBOURS * index, NEIGHBOURS * (index + 1)),
  )
  return groups.flatMap((group, index) => {
    const played = drawShare(
      id === DRAW_ALL ? id : `files ${index} of ${id}`,
      group,
      1 / NEIGHBOURS,
    )
    return group.filter((file) => !played.includes(file))
  })
}
