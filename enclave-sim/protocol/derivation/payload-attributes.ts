import type { PayloadAttributes } from '../types/block.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { rulesAt } from '../upgrades/schedule.ts'
import { encodeBaseTime } from './base-time.ts'
import { encodeL1Attributes } from './l1-attributes.ts'
import type { L1Header } from './l1-header.ts'
import type { RollupConfig, SystemConfig } from './rollup-config.ts'

/** OP spec, Predeploys: SequencerFeeVault. */
const SEQUENCER_FEE_VAULT: Address = '0x4200000000000000000000000000000000000011'
const NO_BEACON_ROOT: Hash = `0x${'00'.repeat(32)}`

export interface PayloadAttributesParameters {
  config: Pick<RollupConfig, 'fork' | 'upgrades'>
  /** In force for this block: in an epoch's first block after the updates of its L1 origin. */
  systemConfig: SystemConfig
  l1Origin: L1Header
  /** Position in the epoch; 0 in its first block. */
  sequenceNumber: bigint
  /** Of the block. */
  number: bigint
  /** Milliseconds since 1970. */
  timestampMs: bigint
  /** User deposits of the L1 origin; only an epoch's first block has them. */
  deposits: readonly Uint8Array[]
  /** What the batch holds. */
  transactions: readonly Uint8Array[]
}

/**
 * All that is said of an L2 block before it is executed. Sequencer and derivation both come through
 * here, so that what one builds the other finds again on L1.
 * Source: OP specs, Derivation "Building Individual Payload Attributes", Holocene, Jovian.
 */
export function payloadAttributes(parameters: PayloadAttributesParameters): PayloadAttributes {
  const { config, systemConfig, l1Origin, sequenceNumber, number, timestampMs } = parameters
  const l1Attributes = encodeL1Attributes({
    fork: config.fork,
    l1: l1Origin,
    sequenceNumber,
    systemConfig,
  })
  const { hasBaseTime } = rulesAt(config.upgrades, timestampMs)
  const system = hasBaseTime ? [l1Attributes, encodeBaseTime(number, timestampMs)] : [l1Attributes]
  return {
    timestamp: timestampMs / 1000n,
    prevRandao: l1Origin.mixHash,
    feeRecipient: SEQUENCER_FEE_VAULT,
    // An L1 before Cancun has none (OP spec, Ecotone).
    parentBeaconBlockRoot: l1Origin.parentBeaconBlockRoot ?? NO_BEACON_ROOT,
    gasLimit: systemConfig.gasLimit,
    eip1559: {
      denominator: systemConfig.eip1559Denominator,
      elasticity: systemConfig.eip1559Elasticity,
    },
    minBaseFee: systemConfig.minBaseFee,
    transactions: [...system, ...parameters.deposits, ...parameters.transactions],
  }
}
