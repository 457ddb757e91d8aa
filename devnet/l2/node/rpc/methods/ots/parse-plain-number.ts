import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import type { BlockTag } from '#devnet/l2/node/chain-view'
import { parseBlockSelector } from '../../selector/block-selector.ts'

/**
 * A number as Otterscan sends it: a plain one, where others write a quantity, which does, too.
 * @throws JsonRpcError -32602
 */
export function parsePlainNumber(value: unknown, name: string): bigint {
  if (typeof value !== 'number') return parseQuantity(value, name, 64)
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw invalidParams(`${name}: must be a whole number, 0 or more`)
}

/** A block's number in either form, or a tag. @throws JsonRpcError -32602 */
export function parsePlainBlock(value: unknown, name: string): BlockTag | bigint {
  return typeof value === 'number' ? parsePlainNumber(value, name) : parseBlockSelector(value, name)
}

/** At most this many a page: each is sent with its receipt. */
const MAX_PAGE_SIZE = 1_000n

/** @throws JsonRpcError -32602 */
export function parsePageSize(value: unknown, name: string): number {
  const size = parsePlainNumber(value, name)
  if (size > 0n && size <= MAX_PAGE_SIZE) return Number(size)
  throw invalidParams(`${name}: must be from 1 to ${MAX_PAGE_SIZE}`)
}
