const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/**
 * How long that is, in the largest unit of which it has two at least.
 * @param ms milliseconds
 * @example
 * inWords(14_400_000) // '4 h'
 */
export function inWords(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= 2 * each) ?? UNITS.at(-1)!
  const count = ms / length
  return `${count < 10 ? Number(count.toFixed(1)) : Math.round(count)} ${unit}`
}
