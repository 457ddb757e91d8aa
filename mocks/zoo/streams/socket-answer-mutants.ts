import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { unmutated } from '../mutate-rpc-body.ts'
import { parseJson } from '../parts/parse-json.ts'
import { without } from '../rewrites.ts'

const stream = mutantsOf('stream', 'ws')

/** Changes the answers on a WebSocket, and nothing that is pushed. */
const answers =
  (change: (answer: JsonObject) => JsonObject): Mutant['apply'] =>
  () => ({
    message: (message) => unmutated('method' in message ? message : change(message)),
  })

/** Changes the errors among them. */
const errors = (change: (error: JsonObject) => JsonObject) =>
  answers((answer) =>
    'error' in answer ? { ...answer, error: change(answer.error as JsonObject) } : answer,
  )

const isRevert = ({ message }: JsonObject) => String(message).startsWith('execution reverted')

/** What comes and is no JSON ends the line. */
const deafAfterNonsense = (): MutantHooks => {
  const deaf = new WeakSet<object>()
  return {
    text(text, socket) {
      if (parseJson(text) === undefined) deaf.add(socket)
      return text
    },
    message: (message, socket) =>
      deaf.has(socket) && 'method' in message ? null : unmutated(message),
  }
}

/** Mutants of the answers on a WebSocket, where the ones over HTTP are right. */
export const SOCKET_ANSWER_MUTANTS: readonly Mutant[] = [
  stream('RPC-ENV-07', 'zero-unanswered', 'Takes a call with id 0 for a notification', () => ({
    text: (text) => (Object(parseJson(text)).id === 0 ? null : text),
  })),
  stream(
    'RPC-ENV-09',
    'digits-as-number',
    'Answers an id of digits by a number',
    answers((answer) =>
      typeof answer.id === 'string' && /^\d+$/.test(answer.id)
        ? { ...answer, id: Number(answer.id) }
        : answer,
    ),
  ),
  stream(
    'RPC-ENV-09',
    'errors-without-id',
    'Leaves the id out of errors',
    answers((answer) => ('error' in answer ? { ...answer, id: null } : answer)),
  ),
  stream(
    'RPC-ENV-08',
    'errors-without-version',
    'Leaves jsonrpc out of errors',
    answers((answer) => ('error' in answer ? without(answer, 'jsonrpc') : answer)),
  ),
  stream(
    'RPC-ENV-10',
    'null-left-out',
    'Leaves a result out that is null',
    answers((answer) => (answer.result === null ? without(answer, 'result') : answer)),
  ),
  stream(
    'RPC-ENV-11',
    'result-beside-error',
    'Puts result null beside an error',
    answers((answer) => ('error' in answer ? { ...answer, result: null } : answer)),
  ),
  stream(
    'RPC-ENV-11',
    'code-as-text',
    'Gives the code of an error as text',
    errors((error) => ({ ...error, code: String(error.code) })),
  ),
  stream('RPC-ENV-04', 'version-ignored', 'Never looks at jsonrpc', () => ({
    text(text) {
      const call = parseJson(text)
      const isOne = typeof call === 'object' && call !== null && !Array.isArray(call)
      return isOne ? JSON.stringify({ ...call, jsonrpc: '2.0' }) : text
    },
  })),
  stream('RPC-ENV-09', 'one-of-a-batch', 'Answers the first call of a batch alone', () => ({
    text(text) {
      const calls = parseJson(text)
      return Array.isArray(calls) ? JSON.stringify(calls.slice(0, 1)) : text
    },
  })),
  stream(
    'RPC-WS-02',
    'silent-after-nonsense',
    'Falls silent on a connection that sent what is no JSON',
    deafAfterNonsense,
  ),
  stream(
    'ERR-01',
    'revert-is-three',
    'Answers a revert with code 3 on a WebSocket',
    errors((error) => (isRevert(error) ? { ...error, code: 3 } : error)),
  ),
  stream(
    'ERR-03',
    'revert-without-bytes',
    'Leaves the bytes of a revert out on a WebSocket',
    errors((error) => (isRevert(error) ? without(error, 'data') : error)),
  ),
]
