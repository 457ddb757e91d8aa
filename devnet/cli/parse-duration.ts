import type { Parser } from './flags.ts'
import { UsageError } from './usage-error.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a time such as 90s, 30m, 8h or 2d, as milliseconds. @throws UsageError */
export const duration: Parser<number> = (name) => (text) => {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (number !== undefined && Number(number) > 0) return Number(number) * UNITS[unit!]!
  throw new UsageError(`${name} must be a time such as 90s, 30m, 8h or 2d, not '${text}'.`)
}
