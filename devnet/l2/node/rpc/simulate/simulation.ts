import type { Header } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import type { BlockTimes } from '#protocol/upgrades/block-times'
import type { BlockOverrides } from '../calls/block-overrides.ts'
import type { CallObject } from '../calls/call-object.ts'
import type { StateOverride } from '../calls/parse-state-overrides.ts'
import type { ProfileValues } from '../profile-differences.ts'

/** One entry of blockStateCalls, as it came. */
export interface SimulationEntry {
  calls: CallObject[]
  stateOverrides: StateOverride[]
  blockOverrides: BlockOverrides
}

/** An entry whose place in the simulated chain is known. */
export interface PlannedBlock extends SimulationEntry {
  number: bigint
  timestamp: bigint
}

/**
 * All that running a simulation needs; plain data. What it is to run is as it came: read in another thread,
 * calls go there as the few strings that they are.
 */
export interface SimulationRequest {
  config: ExecutionConfig
  base: { header: Header; hash: Hash }
  /** As JSON has it; nobody has looked at it. */
  payload: unknown
  /** Of the chain that is simulated upon. */
  times: BlockTimes
  /** Gas that all calls together may use. */
  gasCap: bigint
  profile: ProfileValues
}

/** A request that was read. */
export interface Simulation {
  config: ExecutionConfig
  base: { header: Header; hash: Hash }
  blocks: PlannedBlock[]
  traceTransfers: boolean
  validation: boolean
  /** Whether senders are given what they lack. */
  lendsFunds: boolean
  /** Gas that all calls together may use. */
  gasCap: bigint
  /** How its blocks are shown. */
  fullTransactions: boolean
  profile: ProfileValues
}

export interface SimulatedBlock {
  /** With `stateRoot` zero in profile `spec` (RPC-SIM-30). */
  header: Header
  hash: Hash
  /** As an element of the answer, with one of `calls` per call, in order (RPC-SIM-32). */
  text: string
}
