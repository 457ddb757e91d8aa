import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'

/**
 * A quantity as the tools send it to their cheats: 0x hex, a decimal string, or a JSON number.
 * @throws JsonRpcError -32602
 */
export function parseCheatQuantity(value: unknown, name: string, bits = 256): bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value)
    throw invalidParams(`${name}: ${value} is no whole number from 0 to 2^53 - 1`)
  }
  if (typeof value === 'string' && /^\d{1,78}$/.test(value)) {
    return parseQuantity(`0x${BigInt(value).toString(16)}`, name, bits)
  }
  return parseQuantity(value, name, bits)
}

/** The same, where absent and null mean `fallback`. */
export function parseOptionalCheatQuantity(
  value: unknown,
  name: string,
  fallback: bigint,
  bits?: number,
): bigint {
  return value === undefined || value === null ? fallback : parseCheatQuantity(value, name, bits)
}
