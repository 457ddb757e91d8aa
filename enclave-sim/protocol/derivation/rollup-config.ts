import type { Address, Hash } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import type { JournalEra } from '../types/journal-era.ts'
import type { Schedule } from '../types/schedule.ts'

/**
 * What derivation must know of a chain. Numbers are the OP defaults unless a devnet shortens them.
 * Source: OP specs, "rollup node / derivation" and "system config".
 */
export interface RollupConfig {
  l1ChainId: number
  l2ChainId: number
  fork: Fork
  /** Upgrades of Base; without it the chain has none. */
  upgrades?: Schedule
  /** What journals say of them; without it, nothing. */
  journal?: JournalEra
  genesis: {
    l1: { hash: Hash; number: number }
    l2: { hash: Hash; number: number }
    /** Seconds; timestamp of the L2 genesis block. */
    l2Time: number
    systemConfig: SystemConfig
  }
  /** Seconds between L2 blocks, until an upgrade says otherwise. */
  blockTime: number
  /** Seconds an L2 block may run ahead of its L1 origin (Fjord: 1800). */
  maxSequencerDrift: number
  /** L1 blocks within which a batch for an epoch must appear. */
  sequencerWindowSize: number
  /** L1 blocks a channel may stay open (Granite: 50). */
  channelTimeout: number
  batchInboxAddress: Address
  /** OptimismPortal: emits TransactionDeposited. */
  depositContractAddress: Address
  /** SystemConfig: emits ConfigUpdate. */
  l1SystemConfigAddress: Address
}

/** The part of the configuration that L1 can change while the chain runs. */
export interface SystemConfig {
  batcherAddress: Address
  gasLimit: bigint
  /** As SystemConfig.scalar(): version byte 01, blobBaseFeeScalar u32, baseFeeScalar u32 at the low end. */
  scalar: Hash
  eip1559Denominator: number
  eip1559Elasticity: number
  operatorFeeScalar: number
  operatorFeeConstant: bigint
  /** Jovian. */
  minBaseFee: bigint
  /** Jovian; 0 means the protocol default of 400. */
  daFootprintGasScalar: number
}
