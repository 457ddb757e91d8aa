import type { Hex } from '../../../../enclave-sim/protocol/types/bytes.ts'
import { parseQuantity } from '../../../json-rpc/params/parse-quantity.ts'
import { toQuantity } from '../json/hex.ts'

/** @throws JsonRpcError -32602 */
export function parseFilterId(value: unknown): Hex {
  return toQuantity(parseQuantity(value, 'id'))
}
