import type { Hash } from '../../../../enclave-sim/protocol/types/bytes.ts'
import { isSealed, type TransactionLocation } from '../../chain-view.ts'
import type { NodeRpc } from '../node-rpc.ts'

/** Where a transaction stands; pre-confirmed ones only where pre-confirmations are served. */
export function findTransaction(rpc: NodeRpc, hash: Hash): TransactionLocation | undefined {
  const found = rpc.chain.findTransaction(hash)
  return found && (rpc.preconfirmations || isSealed(found.block)) ? found : undefined
}
