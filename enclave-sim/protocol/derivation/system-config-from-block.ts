import { decodeExtraData } from '../execution/extra-data.ts'
import type { Header } from '../types/block.ts'
import type { Fork } from '../types/execution-config.ts'
import { decodeL1Attributes } from './l1-attributes.ts'
import type { SystemConfig } from './rollup-config.ts'

/**
 * The system configuration that was in force for an L2 block, as the block itself tells: fees and
 * batcher in its L1 attributes, gas limit and fee-market parameters in its header.
 * @param attributesTxData call data of the block's first transaction
 * @throws DerivationError L1_ATTRIBUTES_MALFORMED, RollbedError EXTRA_DATA_MALFORMED
 */
export function systemConfigFromBlock(
  header: Pick<Header, 'gasLimit' | 'extraData'>,
  attributesTxData: Uint8Array,
  fork: Fork,
): SystemConfig {
  const { denominator, elasticity, minBaseFee } = decodeExtraData(header.extraData, fork)
  return {
    ...decodeL1Attributes(attributesTxData).systemConfig,
    gasLimit: header.gasLimit,
    eip1559Denominator: denominator,
    eip1559Elasticity: elasticity,
    minBaseFee,
  }
}
