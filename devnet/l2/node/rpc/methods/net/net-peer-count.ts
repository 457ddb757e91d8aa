import type { NodeMethod } from '../../node-rpc.ts'

/** `net_peerCount`: this node is alone. */
export const netPeerCount: NodeMethod = () => '0x0'
