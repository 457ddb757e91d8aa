import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { toQuantity } from '../../json/hex.ts'
import type { NodeMethod } from '../../node-rpc.ts'

/** `eth_baseFee []` → the base fee of the block after the newest sealed one, in wei (execution-apis). */
export const ethBaseFee: NodeMethod = ({ chain, config }) =>
  toQuantity(nextBaseFee(chain.latest().header, config.fork))
