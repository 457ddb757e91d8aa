import { invalidParams } from '../json-rpc-error.ts'
import { hexDigits } from './hex-digits.ts'

/**
 * A 0x quantity as bigint. Leading zeros are taken; bare 0x, decimals and JSON numbers are not
 * (OPEN-11, OPEN-37).
 *
 * @param bits the widest value allowed; 256 unless told.
 * @throws JsonRpcError -32602
 */
export function parseQuantity(value: unknown, name: string, bits = 256): bigint {
  const digits = hexDigits(value, name)
  if (digits === '') throw invalidParams(`${name}: 0x holds no digits, zero is 0x0`)
  const significant = digits.replace(/^0+/, '')
  if (significant.length > bits / 4) throw invalidParams(`${name}: has more than ${bits} bits`)
  return BigInt(`0x${significant || '0'}`)
}

/** The same, where absent and null mean undefined. */
export function parseOptionalQuantity(
  value: unknown,
  name: string,
  bits = 256,
): bigint | undefined {
  return value === undefined || value === null ? undefined : parseQuantity(value, name, bits)
}
