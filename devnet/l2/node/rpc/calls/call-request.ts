import type { BlockEnvironment, CallMessage, CallOutcome } from '#protocol/execution/executor'
import type { Hash } from '#protocol/types/bytes'
import type { StateOverride } from './parse-state-overrides.ts'

/** The block a call believes to be in; ancestor hashes are the runner's own matter. */
export type CallEnvironment = Omit<BlockEnvironment, 'blockHash'>

export interface CallRequest {
  stateRoot: Hash
  environment: CallEnvironment
  /** `gas` is the most it may use, after the RPC gas cap. */
  message: CallMessage
  stateOverrides: StateOverride[]
}

/** Either a gas limit, or why none would do. */
export type GasEstimate = { gas: bigint } | { failed: CallOutcome }
