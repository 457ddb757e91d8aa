import type { Hex } from '#protocol/types/bytes'
import { UsageError } from './usage-error.ts'

/**
 * A commander argument parser for hex of a fixed number of bytes; without one, of any.
 * @throws UsageError
 */
export function hexBytes(name: string, size?: number) {
  return (text: string): Hex => {
    const fits = /^0x([0-9a-fA-F]{2})*$/.test(text) && (!size || text.length === 2 + 2 * size)
    if (fits) return text.toLowerCase() as Hex
    const digits = size ? `${2 * size}` : 'an even number of'
    throw new UsageError(`${name} must be 0x and ${digits} hexadecimal digits, not '${text}'.`)
  }
}

/** The same for an option that may be given several times. */
export function hexList(name: string, size: number) {
  const parse = hexBytes(name, size)
  return (text: string, before: Hex[] = []): Hex[] => [...before, parse(text)]
}
