import type { Block } from '../types/block.ts'
import type { L2Parent } from './derivation.ts'
import { decodeL1Attributes } from './l1-attributes.ts'
import type { RollupConfig } from './rollup-config.ts'
import { systemConfigFromBlock } from './system-config-from-block.ts'

/**
 * What derivation must know of a block that it goes on from.
 * @example
 * const { l1Origin, sequenceNumber } = l2Parent(config, chain.latest())
 */
export function l2Parent(
  config: RollupConfig,
  block: Pick<Block, 'hash' | 'header' | 'transactions'>,
): L2Parent {
  const { header, hash, transactions } = block
  const { genesis } = config
  const ref = { number: header.number, hash, timestamp: header.timestamp }
  const attributes = transactions[0]?.data
  // The genesis block has no L1 attributes; its configuration is that of the chain.
  if (header.number === BigInt(genesis.l2.number) || !attributes) {
    const l1Origin = { number: BigInt(genesis.l1.number), hash: genesis.l1.hash }
    return { ...ref, l1Origin, sequenceNumber: 0n, systemConfig: genesis.systemConfig }
  }
  const { l1Origin, sequenceNumber } = decodeL1Attributes(attributes)
  const systemConfig = systemConfigFromBlock(header, attributes, config.fork)
  return { ...ref, l1Origin, sequenceNumber, systemConfig }
}
