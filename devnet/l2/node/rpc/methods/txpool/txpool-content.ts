import { pooledTransactionJson } from '../../json/transaction-json.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { poolBySender } from './pool-content.ts'

/** `txpool_content []` → what waits, as objects, by sender and nonce. */
export const txpoolContent: NodeMethod = (rpc) => poolBySender(rpc, pooledTransactionJson)
