import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { CallOutcome } from '#protocol/execution/executor'
import { revertReason } from '../calls/revert-reason.ts'
import { blockText } from '../json/block-text.ts'
import { toQuantity } from '../json/hex.ts'
import { logWriter } from '../json/log-json.ts'
import type { ProfileValues } from '../profile-differences.ts'
import type { SimulatedBlock } from './simulation.ts'

/**
 * An element of the result of eth_simulateV1 (RPC-SIM-22…38), as JSON. Calls and logs are many and short,
 * and written at once: objects of theirs would be made only to be read once.
 */
export function simulatedBlockText(
  { block, calls }: SimulatedBlock,
  fullTransactions: boolean,
  profile: ProfileValues,
): string {
  const header = blockText(block, fullTransactions, profile)
  const writeLog = logWriter(block)
  let logIndex = 0
  const texts = calls.map((outcome, transactionIndex) => {
    const { status, gasUsed, maxUsedGas, output, logs, halt } = outcome
    const more =
      profile.simulateMaxUsedGas === 'present' ? `,"maxUsedGas":"${toQuantity(maxUsedGas)}"` : ''
    const returnData = isMoved(outcome, profile) ? '0x' : bytesToHex(output)
    const logTexts = logs.map((log) => writeLog({ log, transactionIndex, logIndex: logIndex++ }))
    const error = halt ? `,"error":${JSON.stringify(callErrorJson(output, halt, profile))}` : ''
    return `{"status":"0x${status}","gasUsed":"${toQuantity(gasUsed)}"${more},"returnData":"${returnData}","logs":[${logTexts.join()}]${error}}`
  })
  return `${header.slice(0, -1)},"calls":[${texts.join()}]}`
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
