import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_blockNumber []`: the newest sealed block (OPEN-13). */
export const ethBlockNumber: NodeMethod = ({ chain }) => toQuantity(chain.latest().header.number)
