import type { NodeMethod } from '../../node-rpc.ts'
import { debugGetRawTransaction } from '../debug/debug-get-raw-transaction.ts'

/** `eth_getRawTransactionByHash [hash]`: the same as `debug_getRawTransaction`. */
export const ethGetRawTransactionByHash: NodeMethod = debugGetRawTransaction
