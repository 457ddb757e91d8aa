import { pooledTransactionJson } from '../../json/transaction-json.ts'
import { poolContent } from '../../methods/txpool/pool-content.ts'
import type { CheatMethod } from '../cheat-rpc.ts'

/** `eth_pendingTransactions []` → what waits for a block, whoever sent it. */
export const ethPendingTransactions: CheatMethod = (rpc) =>
  poolContent(rpc).pending.map(pooledTransactionJson)
