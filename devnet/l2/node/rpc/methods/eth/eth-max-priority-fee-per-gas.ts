import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** Wei; the least that op-geth suggests, and enough where blocks are not full. */
export const SUGGESTED_TIP = 1_000_000n

/** `eth_maxPriorityFeePerGas []` */
export const ethMaxPriorityFeePerGas: NodeMethod = () => toQuantity(SUGGESTED_TIP)
