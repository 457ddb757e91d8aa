import type { NodeMethod } from '../../node-rpc.ts'

/** `net_version []`: the chain id in decimal digits. */
export const netVersion: NodeMethod = ({ chain }) => chain.chainId.toString()
