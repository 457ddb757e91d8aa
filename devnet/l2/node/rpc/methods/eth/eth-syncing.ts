import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_syncing []`: this node makes the chain, it never lags behind it. */
export const ethSyncing: NodeMethod = () => false
