import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CallOutcome } from '#protocol/execution/executor'
import { revertReason } from '../calls/revert-reason.ts'
import type { ProfileValues } from '../profile-differences.ts'

const NOTHING = new Uint8Array(0)

/** The bytes that stand in `returnData`: those of a revert may stand in its error instead. */
export function shownOutput({ output, halt }: CallOutcome, profile: ProfileValues): Uint8Array {
  const isMoved = halt?.kind === 'revert' && profile.simulateRevertData !== 'returnData'
  return isMoved ? NOTHING : output
}

/**
 * The member `error` of a simulated call as JSON; empty where it did not fail. A string in the spec's reading;
 * the object of execution-apis in profile base.
 */
export function callErrorText({ output, halt }: CallOutcome, profile: ProfileValues): string {
  if (!halt) return ''
  const isRevert = halt.kind === 'revert'
  const reason = isRevert ? revertReason(output) : undefined
  const text = isRevert ? 'execution reverted' : halt.message
  const message = reason === undefined ? text : `${text}: ${reason}`
  if (profile.simulateError === 'string') return JSON.stringify(message)
  return JSON.stringify(
    isRevert ? { code: 3, message, data: bytesToHex(output) } : { code: -32015, message },
  )
}
