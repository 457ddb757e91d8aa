import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectObject } from '../matchers/expect-shape.ts'
import type { SeenEnvelope } from './seen-answers.ts'

/**
 * An answer with the version and the id of its call, and either a result or an error of code and message.
 * @throws CaseFailure
 */
export function expectEnvelope({ id, response }: Omit<SeenEnvelope, 'exchange'>): void {
  expectThat(response !== undefined, `an answer with id ${id}`, 'none', 'response.id')
  expectEqual(response.jsonrpc, '2.0', 'response.jsonrpc')
  const { error } = response
  expectEqual('result' in response, error === undefined, 'result in place of an error')
  if (error === undefined) return
  const { code, message } = expectObject(error, 'response.error')
  expectThat(Number.isInteger(code), 'a whole number', code, 'error.code')
  expectThat(typeof message === 'string', 'a string', message, 'error.message')
}
