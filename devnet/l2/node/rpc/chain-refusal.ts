import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import type { RollbedError } from '#protocol/errors/rollbed-error'

/** Codes of a chain whose newest block waits for the disk: clients may tell it from a refusal for good. */
const WAITS = ['CHAIN_WAITS', 'HISTORY_NOT_WRITTEN']

/** -32000 in the chain's own words; `data.code` where trying again later helps. */
export function chainRefusal({ code, message }: RollbedError): JsonRpcError {
  return new JsonRpcError(-32000, message, WAITS.includes(code) ? { code } : undefined)
}
