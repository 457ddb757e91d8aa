/**
 * Until the chain is older than a channel may be (50 L1 blocks of 2 s): till then each proof reads more of it
 * than the one before, and an enclave keeps nothing of the last one (SAFE-07). That is age, not wear.
 */
const GROWING = 120_000

/**
 * How much longer the last quarter of some runs took than the first of those on a grown chain. The fastest of
 * each stands for it: others may have been held up by what else the machine had to do.
 *
 * @param durations in the order of the runs, of which the first found a chain that had just begun; milliseconds
 * @returns 1 where they took the same; undefined where too few came late enough
 */
export function slowdown(durations: readonly number[]): number | undefined {
  let age = 0
  const grown = durations.filter((duration) => {
    age += duration
    return age - duration >= GROWING
  })
  const quarter = Math.floor(grown.length / 4)
  if (quarter === 0) return undefined
  return Math.min(...grown.slice(-quarter)) / Math.min(...grown.slice(0, quarter))
}
