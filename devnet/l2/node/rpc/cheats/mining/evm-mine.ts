import { invalidParams } from '#devnet/base/json-rpc/json-rpc-error'
import { parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { CheatMethod } from '../cheat-rpc.ts'
import { parseCheatQuantity, parseOptionalCheatQuantity } from '../parse-cheat-quantity.ts'
import { MAX_BLOCKS } from './mine.ts'

/**
 * `evm_mine [timestamp?]`, or `evm_mine [{timestamp?, blocks?}]` as ganache has it: makes blocks at
 * once, the first with that time → "0x0".
 *
 * @throws JsonRpcError -32602
 */
export const evmMine: CheatMethod = async ({ cheats }, params, { signal }) => {
  const [option] = positional(params)
  const { timestamp, blocks } =
    typeof option === 'object' && option !== null
      ? parseRecord(option, 'options')
      : { timestamp: option, blocks: undefined }
  const count = parseOptionalCheatQuantity(blocks, 'blocks', 1n)
  if (count > MAX_BLOCKS) throw invalidParams(`blocks: must be at most ${MAX_BLOCKS}`)
  await cheats.mine({
    blocks: Number(count),
    timestamp:
      timestamp === undefined || timestamp === null
        ? undefined
        : parseCheatQuantity(timestamp, 'timestamp', 40),
    signal,
  })
  return '0x0'
}
