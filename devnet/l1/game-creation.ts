import { gameType } from '#fixtures/chain/constants'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { wholeScheduleVerifierAbi } from '#fixtures/contracts/WholeScheduleVerifier.abi'
import type { Address, Hash } from '#protocol/types/bytes'
import type { JournalEra } from '#protocol/types/journal-era'
import { JOURNAL_ERAS } from '#protocol/upgrades/upgrade-table'
import { creation, type L1Call } from './l1-call.ts'

/** L2 blocks of a game, and between its intermediate roots. */
export interface Intervals {
  all: bigint
  each: bigint
}

/** What a contract that games are made of is created with. */
export interface GameParts {
  anchorStateRegistry: Address
  delayedWeth: Address
  teeVerifier: Address
  zkVerifier: Address
  /** keccak256 of the PCR0 that games accept. */
  teeImageHash: Hash
  zkHashes: { rangeHash: Hash; aggregateHash: Hash }
  configHash: Hash
  l2ChainId: bigint
  /** Until Denim, where there is a schedule. */
  intervals: Intervals
  /** On a chain with upgrades. */
  schedule?: {
    era: JournalEra
    /** From Denim's first block on. */
    fast: Intervals
    config: {
      protocolVersions: Address
      genesisBlockNumber: bigint
      /** Seconds. */
      genesisTimestamp: bigint
      /** Seconds between blocks until Denim. */
      blockTime: bigint
    }
  }
}

/** Creates the contract that games are made of: the one that the chain's journals are for. */
export function gameCreation(parts: GameParts): L1Call {
  const { intervals, schedule } = parts
  const common = [
    gameType,
    parts.anchorStateRegistry,
    parts.delayedWeth,
    parts.teeVerifier,
    parts.zkVerifier,
    parts.teeImageHash,
    parts.zkHashes,
    parts.configHash,
    parts.l2ChainId,
  ] as const
  if (!schedule) {
    const args = [...common, intervals.all, intervals.each] as const
    return creation('AggregateVerifier', aggregateVerifierAbi, args)
  }
  const { fast, config, era } = schedule
  const pairs = {
    ...{ slowBlockInterval: intervals.all, slowIntermediateBlockInterval: intervals.each },
    ...{ fastBlockInterval: fast.all, fastIntermediateBlockInterval: fast.each },
  }
  const args = [...common, pairs, config] as const
  return JOURNAL_ERAS[era].hasAnnounced
    ? creation('WholeScheduleVerifier', wholeScheduleVerifierAbi, args)
    : creation('ScheduledVerifier', scheduledVerifierAbi, args)
}
