import type { NodeMethod } from '../../node-rpc.ts'
import { poolBySender } from './pool-content.ts'

/** `txpool_inspect []` → what waits, each as one line. */
export const txpoolInspect: NodeMethod = (rpc) =>
  poolBySender(rpc, ({ to, value, gas, maxFeePerGas }) => {
    return `${to ?? 'contract creation'}: ${value} wei + ${gas} gas × ${maxFeePerGas} wei`
  })
