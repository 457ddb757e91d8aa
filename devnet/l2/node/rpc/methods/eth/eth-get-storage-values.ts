import { invalidParams, JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { parseStorageWord } from '#devnet/base/json-rpc/params/parse-storage-word'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { Address, Hash } from '#protocol/types/bytes'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseOptionalStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'

/** Slots of all accounts together (execution-apis). */
const MAX_SLOTS = 1024

/**
 * `eth_getStorageValues [{ address: slots }, block?]` → the same accounts with the values of these slots,
 * 32 bytes each, zero when never written (execution-apis).
 *
 * @throws JsonRpcError -32602; -32001 for a block that is not there
 */
export const ethGetStorageValues: NodeMethod = (rpc, params) => {
  const [requestParam, block] = positional(params)
  const asked = Object.entries(parseRecord(requestParam, 'request')).map(
    ([account, slots]): [Address, Hash[]] => [
      parseAddress(account, 'request'),
      parseList(slots, `request.${account}`, MAX_SLOTS).map((slot, index) =>
        parseStorageWord(slot, `request.${account}[${index}]`),
      ),
    ],
  )
  const count = asked.reduce((sum, [, slots]) => sum + slots.length, 0)
  if (count === 0) throw new JsonRpcError(-32602, 'empty request')
  if (count > MAX_SLOTS) throw invalidParams(`request: ${count} slots, the limit is ${MAX_SLOTS}`)
  const { header } = requireBlock(rpc, parseOptionalStateSelector(block, 'block', 'latest'))
  return Object.fromEntries(
    asked.map(([account, slots]) => [
      account,
      slots.map((slot) => rpc.chain.storage(header.stateRoot, account, slot)),
    ]),
  )
}
