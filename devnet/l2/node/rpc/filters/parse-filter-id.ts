import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import type { Hex } from '#protocol/types/bytes'
import { toQuantity } from '../json/hex.ts'

/** @throws JsonRpcError -32602 */
export function parseFilterId(value: unknown): Hex {
  return toQuantity(parseQuantity(value, 'id'))
}
