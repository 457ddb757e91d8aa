import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { SUGGESTED_TIP } from './eth-max-priority-fee-per-gas.ts'

/** `eth_gasPrice []`: the next block's base fee and a tip, in wei. */
export const ethGasPrice: NodeMethod = ({ chain, config }) =>
  toQuantity(nextBaseFee(chain.latest().header, config.fork) + SUGGESTED_TIP)
