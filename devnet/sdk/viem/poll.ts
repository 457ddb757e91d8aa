import { systemClock } from '#protocol/clock/system-clock'

/** Milliseconds between two looks: half a flashblock. */
export const LOOK_INTERVAL = 100

/**
 * Looks again and again in the background, and hands on what it saw unless it was ended meanwhile.
 * @param look what is wrong with one look, or with handing on, goes to `onError`; the next one follows
 * @returns ends it
 */
export function poll(
  look: () => Promise<() => void>,
  onError: (error: Error) => void = () => {},
): () => void {
  let isOver = false
  const round = async () => {
    try {
      const handOn = await look()
      if (!isOver) handOn()
    } catch (error) {
      if (!isOver) onError(error as Error)
    }
    if (!isOver) systemClock.after(LOOK_INTERVAL, () => void round())
  }
  void round()
  return () => {
    isOver = true
  }
}
