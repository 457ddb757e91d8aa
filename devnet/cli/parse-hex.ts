import type { Hex } from '#protocol/types/bytes'
import type { Parser } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** Reads hex of a fixed number of bytes; without one, of any. @throws UsageError */
export function hexBytes(size?: number): Parser<Hex> {
  return (name) => (text) => {
    const fits = /^0x([0-9a-fA-F]{2})*$/.test(text) && (!size || text.length === 2 + 2 * size)
    if (fits) return text.toLowerCase() as Hex
    const digits = size ? `${2 * size}` : 'an even number of'
    throw new UsageError(`${name} must be 0x and ${digits} hexadecimal digits, not '${text}'.`)
  }
}

/** The same for a flag that may be given several times. */
export function hexList(size: number): Parser<Hex[]> {
  const parse = hexBytes(size)
  return (name) =>
    (text, before = []) => [...before, parse(name)(text)]
}
