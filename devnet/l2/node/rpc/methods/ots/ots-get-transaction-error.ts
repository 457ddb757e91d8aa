import type { NodeMethod } from '../../node-rpc.ts'
import { transactionFrame } from './transaction-frame.ts'

/**
 * `ots_getTransactionError [hash]`: what a failed transaction gave back when it reverted; 0x where it
 * gave nothing back or did not fail.
 * @throws JsonRpcError -32602; -32000 unknown transaction, timeout, too large a trace
 */
export const otsGetTransactionError: NodeMethod = async (...asked) => {
  const { error, output } = await transactionFrame(...asked)
  return error === undefined ? '0x' : (output ?? '0x')
}
