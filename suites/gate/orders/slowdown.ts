/**
 * How much longer the last quarter of some runs took than the first. The fastest of each stands for it:
 * others may have been held up by what else the machine had to do.
 *
 * @param durations in the order of the runs
 * @returns 1 where they took the same
 */
export function slowdown(durations: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(durations.length / 4))
  return Math.min(...durations.slice(-quarter)) / Math.min(...durations.slice(0, quarter))
}
