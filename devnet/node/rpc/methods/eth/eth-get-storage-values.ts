import type { Address, Hash } from '../../../../../enclave-sim/protocol/types/bytes.ts'
import { invalidParams, JsonRpcError } from '../../../../json-rpc/json-rpc-error.ts'
import { parseAddress } from '../../../../json-rpc/params/parse-fixed-bytes.ts'
import { parseList, parseRecord } from '../../../../json-rpc/params/parse-record.ts'
import { parseStorageWord } from '../../../../json-rpc/params/parse-storage-word.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
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
