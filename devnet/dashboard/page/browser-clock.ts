/** A page has the browser's clock only; nothing else of it reads time. */

/** Runs once, so many milliseconds from now. */
export function later(delay: number, run: () => void): () => void {
  // biome-ignore lint/style/noRestrictedGlobals: see above.
  const timer = setTimeout(run, delay)
  return () => clearTimeout(timer)
}

/** The time of day to the millisecond. @param milliseconds Unix time */
export function asTime(milliseconds: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: a given time, not the present one.
  return new Date(milliseconds).toISOString().slice(11, 23)
}

/** The time of day to the second, and that it is UTC. @param milliseconds Unix time */
export function asSecond(milliseconds: number): string {
  return `${asTime(milliseconds).slice(0, 8)} UTC`
}

/** The day and the time to the second, UTC. @param milliseconds Unix time */
export function asDay(milliseconds: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: a given time, not the present one.
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}
