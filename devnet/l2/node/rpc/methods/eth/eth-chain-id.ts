import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_chainId []` */
export const ethChainId: NodeMethod = ({ chain }) => toQuantity(chain.chainId)
