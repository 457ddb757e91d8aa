import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectError } from '../matchers/expect-error.ts'
import { expectBytes, expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { Outcome } from '../payloads/outcomes-of.ts'
import { isTraced } from '../spec/is-traced.ts'
import { type RpcReply, resultOf } from '../wire/json-rpc-client.ts'
import { callResult } from './simulate.ts'

/**
 * Whether the node gave up for want of time, or came so late that the state was gone: on a busy machine that says
 * nothing of what it would have come to.
 */
export function ranOutOfTime({ body }: RpcReply): boolean {
  const { message } = Object(body.error) as JsonObject
  return /timeout|timed out|deadline exceeded|state is not available/i.test(String(message))
}

/** That a reply of eth_call is what the call comes to. @throws CaseFailure */
export function expectCall(reply: RpcReply, outcome: Outcome): void {
  if (outcome.status === '0x1') {
    expectEqual(resultOf(reply, 'eth_call'), outcome.returnData, 'result')
    return
  }
  const { data } = expectError(reply, 'reply')
  // Of what fails otherwise than by a revert no document says what a node tells beside.
  const hasBytes = typeof data === 'string' && /^0x[0-9a-f]/i.test(data)
  if (outcome.returnData === '0x') expectThat(!hasBytes, 'no bytes', data, 'error.data')
  else expectEqual(data, outcome.returnData, 'error.data')
}

/** That the calls of a simulated block come to these, and its gas to theirs. @throws CaseFailure */
export function expectOutcomes(
  block: JsonObject | undefined,
  outcomes: readonly Outcome[],
  at: string,
) {
  expectArray(block?.calls, `${at}.calls`, outcomes.length)
  for (const [index, outcome] of outcomes.entries()) {
    const where = `${at}.calls[${index}]`
    const { status, gasUsed, returnData, logs = [] } = callResult(block, index)
    const answered = {
      status,
      gasUsed: expectQuantity(gasUsed, `${where}.gasUsed`),
      returnData: expectBytes(returnData, `${where}.returnData`),
      logs: logsOf(logs, where).filter((log) => !isTraced(log)),
    }
    const { transfers: _, ...expected } = outcome
    expectEqual(answered, expected, where)
  }
  const gas = outcomes.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  expectEqual(expectQuantity(block?.gasUsed, `${at}.gasUsed`), gas, `${at}.gasUsed`)
}

/** Logs of a simulated call as a contract emits them. @throws CaseFailure */
export function logsOf(logs: unknown, where: string): JsonObject[] {
  return expectArray(logs, `${where}.logs`).map((log) => {
    const { address, topics, data } = expectObject(log, `${where}.logs[]`)
    return { address: String(address).toLowerCase(), topics, data }
  })
}
