import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_coinbase []`: who receives the tips of the newest block, the sequencer's fee vault. */
export const ethCoinbase: NodeMethod = ({ chain }) => chain.latest().header.miner
