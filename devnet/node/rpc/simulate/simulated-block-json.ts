import { bytesToHex } from '../../../../enclave-sim/protocol/bytes/bytes-to-hex.ts'
import type { CallOutcome } from '../../../../enclave-sim/protocol/execution/executor.ts'
import { revertReason } from '../calls/revert-reason.ts'
import { blockJson } from '../json/block-json.ts'
import { toQuantity } from '../json/hex.ts'
import { logJson } from '../json/log-json.ts'
import type { ProfileValues } from '../profile-differences.ts'
import type { SimulatedBlock } from './simulation.ts'

/** An element of the result of eth_simulateV1 (RPC-SIM-22…38). */
export function simulatedBlockJson(
  { block, calls }: SimulatedBlock,
  fullTransactions: boolean,
  profile: ProfileValues,
) {
  let logCount = 0
  return {
    ...blockJson(block, fullTransactions, profile),
    calls: calls.map((outcome, transactionIndex) => ({
      status: toQuantity(outcome.status),
      gasUsed: toQuantity(outcome.gasUsed),
      ...(profile.simulateMaxUsedGas === 'present' && {
        maxUsedGas: toQuantity(outcome.maxUsedGas),
      }),
      returnData: isMoved(outcome, profile) ? '0x' : bytesToHex(outcome.output),
      logs: outcome.logs.map((log) =>
        logJson(block, { log, transactionIndex, logIndex: logCount++ }),
      ),
      ...(outcome.halt && { error: callErrorJson(outcome.output, outcome.halt, profile) }),
    })),
  }
}

/** Whether the returned bytes of a revert stand in its error. */
function isMoved({ halt }: CallOutcome, profile: ProfileValues): boolean {
  return halt?.kind === 'revert' && profile.simulateRevertData !== 'returnData'
}

/** A string in the spec's reading; the object of execution-apis in profile base. */
function callErrorJson(
  output: Uint8Array,
  halt: NonNullable<CallOutcome['halt']>,
  profile: ProfileValues,
) {
  const isRevert = halt.kind === 'revert'
  const reason = isRevert ? revertReason(output) : undefined
  const text = isRevert ? 'execution reverted' : halt.message
  const message = reason === undefined ? text : `${text}: ${reason}`
  if (profile.simulateError === 'string') return message
  return isRevert ? { code: 3, message, data: bytesToHex(output) } : { code: -32015, message }
}
