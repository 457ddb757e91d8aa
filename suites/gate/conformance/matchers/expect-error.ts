import { CaseFailure } from '../case-failure.ts'
import { judgeNoAnswer, type RpcReply } from '../wire/json-rpc-client.ts'

export interface RpcErrorObject {
  code: number
  message: string
  data?: unknown
}

/**
 * An error reply (RPC-ENV-11): a numeric code and a message, no result.
 *
 * @param code when the spec or a decision names one
 * @throws CaseFailure @throws CaseSetAside when the target gave up, and a code was wanted
 */
export function expectError(reply: RpcReply, at: string, code?: number): RpcErrorObject {
  const { error } = reply.body
  const wanted = {
    error: { code: code ?? 'a number', message: 'a string' },
    result: '(absent)',
  }
  const wrong = () =>
    new CaseFailure({
      at,
      expected: wanted,
      actual: reply.http.json ?? `HTTP ${reply.http.status}: ${reply.http.text.slice(0, 200)}`,
    })
  if (typeof error !== 'object' || error === null || 'result' in reply.body) throw wrong()
  const { code: given, message } = error as Record<string, unknown>
  if (!Number.isInteger(given)) throw wrong()
  if (typeof message !== 'string') throw wrong()
  if (code !== undefined && given !== code) {
    judgeNoAnswer(reply)
    throw wrong()
  }
  return error as RpcErrorObject
}

/** Whatever comes back, it is no result: for input whose error form the spec leaves open. */
export function expectNoResult(reply: RpcReply, at: string): void {
  if (!('result' in reply.body)) return
  throw new CaseFailure({ at, expected: 'no result', actual: reply.http.json })
}
