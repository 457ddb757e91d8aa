import { type Clock, sleep } from '#protocol/clock/clock'

/**
 * Looks again and again until `look` finds something: for what a spec says happens in time. Not a
 * retry; an error ends it at once.
 *
 * @returns what was found, or undefined after `within` milliseconds
 */
export async function poll<T>(
  options: { clock: Clock; signal: AbortSignal; every: number; within: number },
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { clock, signal, every, within } = options
  const deadline = clock.now() + within
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (clock.now() >= deadline) return undefined
    await sleep(clock, every, signal)
  }
}
