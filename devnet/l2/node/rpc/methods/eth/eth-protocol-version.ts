import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_protocolVersion`: eth/68, as reth. */
export const ethProtocolVersion: NodeMethod = () => '0x44'
