import type { NodeMethod } from '../../node-rpc.ts'
import { walkSucceeded } from '../../traces/call-frames.ts'
import { transactionFrame } from './transaction-frame.ts'

/** In Otterscan's numbers. */
const TYPES: Readonly<Record<string, number>> = { CALL: 0, SELFDESTRUCT: 1, CREATE: 2, CREATE2: 3 }

/**
 * `ots_getInternalOperations [hash]`: the transfers of ether, creations and selfdestructs inside a
 * transaction, in the order of their beginning. Not its own transfer or creation, which
 * `eth_getTransactionByHash` tells; and nothing that was taken back because its frame failed.
 * @throws JsonRpcError -32602; -32000 unknown transaction, timeout, too large a trace
 */
export const otsGetInternalOperations: NodeMethod = async (...asked) => {
  const root = await transactionFrame(...asked)
  return [...walkSucceeded(root)].flatMap(([{ type: name, from, to, value = '0x0' }, depth]) => {
    const type = TYPES[name]
    const isQuiet = name === 'CALL' && value === '0x0'
    return depth === 0 || type === undefined || isQuiet ? [] : [{ type, from, to, value }]
  })
}
