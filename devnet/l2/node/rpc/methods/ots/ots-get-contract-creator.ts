import { parseAddress } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { positional } from '#devnet/base/json-rpc/params/positional'
import type { NodeMethod } from '../../node-rpc.ts'
import { callFrames, walkSucceeded } from '../../traces/call-frames.ts'
import { firstBlockWhere } from './first-block-where.ts'

/**
 * `ots_getContractCreator [address]`: the transaction that created a contract, and who did it in it;
 * null for what is no contract, is one since genesis, or was put there by a cheat.
 * @throws JsonRpcError -32602; -32000 timeout; 4444 when a state is gone that must be looked at
 */
export const otsGetContractCreator: NodeMethod = async (rpc, params, { signal }) => {
  const address = parseAddress(positional(params)[0], 'address')
  const block = firstBlockWhere(rpc, (stateRoot) => {
    const account = rpc.chain.account(stateRoot, address)
    return account !== undefined && rpc.chain.code(account.codeHash).length > 0
  })
  if (!block || block.header.number === 0n) return null
  for (const [index, root] of (await callFrames(rpc, block, signal)).entries()) {
    for (const [frame] of walkSucceeded(root)) {
      if (!frame.type.startsWith('CREATE') || frame.to !== address) continue
      return { hash: block.transactions[index]!.hash, creator: frame.from }
    }
  }
  return null
}
