import { BaseError, ContractFunctionRevertedError, parseAbi } from 'viem'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { cobaltProverRegistryAbi } from '#fixtures/contracts/CobaltProverRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { plainError } from './plain-error.ts'

/** Errors of every contract a call may pass through: a revert comes up unchanged. */
export const contractErrors = [
  ...scheduledVerifierAbi,
  ...anchorStateRegistryAbi,
  ...disputeGameFactoryAbi,
  ...cobaltProverRegistryAbi,
  ...teeVerifierAbi,
  // In no ABI: games revert with its bare bytes.
  ...parseAbi(['error BadExtraData()']),
].filter(({ type }) => type === 'error')

/** A transaction would revert, or did. */
export class L1Reverted extends RollbedError {
  /** Name of the custom error, or the reason string; undefined when there is neither. */
  readonly revert: string | undefined

  constructor(call: string, revert: string | undefined, cause?: unknown) {
    super('L1_REVERTED', `${call} reverts on L1${revert ? `: ${revert}` : ''}.`, { cause })
    this.revert = revert?.replace(/\(.*$/s, '')
  }
}

/** The revert in a viem error, worded as `Name(arguments)`; any other error in plain words. */
export function asReverted(call: string, error: unknown): RollbedError {
  const revert = revertIn(error)
  return revert ? new L1Reverted(call, wordsOf(revert), error) : plainError(error)
}

/** `Name(arguments)` of the revert in a viem error; undefined when there is none. */
export function revertText(error: unknown): string | undefined {
  const revert = revertIn(error)
  return revert && wordsOf(revert)
}

function revertIn(error: unknown): ContractFunctionRevertedError | undefined {
  if (!(error instanceof BaseError)) return undefined
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  return revert instanceof ContractFunctionRevertedError ? revert : undefined
}

function wordsOf({ data, reason, signature }: ContractFunctionRevertedError): string | undefined {
  if (!data) return reason ?? signature
  const values = (data.args ?? []).map(String).join(', ')
  return data.errorName === 'Error' ? values : `${data.errorName}(${values})`
}
