import {
  type Forward,
  type HttpAnswer,
  type HttpExchange,
  jsonAnswer,
  parseCall,
  parseObject,
  type RpcCall,
  startMutantProxy,
} from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import type { JsonObject } from '../matchers/expect-shape.ts'

/** A method that is not answered, and how. */
export interface Spoilt {
  method: string
  how: 'busy' | 'overloaded' | 'gone' | 'refused' | 'without signer'
}

interface Listener {
  /** Gets each call, answered or not. */
  begin?: (call: RpcCall) => void
  /** What is to go wrong at this moment. */
  spoilt?: () => Spoilt | undefined
  /** Answers in the target's stead; undefined leaves it to the target. */
  answer?: (call: RpcCall) => Promise<JsonObject | undefined>
  /**
   * Hears every call with its response before the caller does; the answer waits for it.
   * @returns what the caller is told
   * @throws AnswerLost to break the connection instead
   */
  hear: (call: RpcCall, response: JsonObject) => Promise<JsonObject>
}

/** Thrown where an answer is heard: the connection breaks. */
export class AnswerLost extends Error {}

/** As proxies in front of a host say it: not in JSON. */
const BUSY = {
  status: 503,
  headers: { 'content-type': 'text/html', 'retry-after': '1' },
  body: '<html><h1>503 Service Temporarily Unavailable</h1></html>',
}

/** As nodes say it that answer by themselves, and on a connection that has no status of its own (EIP-1474). */
const OVERLOADED = { code: -32005, message: 'limit exceeded' }

/** As a host says it none of whose enclaves has a valid signer (ERR-10), as it may be while images change. */
const NO_SIGNER = { code: -32001, message: 'no valid signer' }

/** As a host says that a proof took too long: the message names the block (ERR-13). */
function timedOut(call: RpcCall): HttpAnswer {
  const { claimed_l2_block_number: block } = (call.params[0] ?? {}) as JsonObject
  const message = `proof request timed out${block === undefined ? '' : ` at L2 block ${block}`}`
  return refusalOf(call, { code: -32000, message })
}

function refusalOf({ id = null }: RpcCall, error: JsonObject): HttpAnswer {
  return jsonAnswer({ jsonrpc: '2.0', id, error })
}

/**
 * A proxy before a caller's host or one of its nodes: it changes nothing but what is spoilt, and what it is told
 * to. Of a WebSocket it hears the methods alone, and has an error for what is spoilt.
 */
export function listenTo(
  target: string,
  clock: Clock,
  listener: Listener,
): ReturnType<typeof startMutantProxy> {
  return startMutantProxy({
    target,
    clock,
    mutant: {
      id: 'callers.listener',
      rule: 'PIPE-23',
      area: 'proposer',
      target: 'prover',
      says: 'Changes nothing',
      apply: () => ({
        // Over a WebSocket.
        call(call) {
          listener.begin?.(call)
          const isSpoilt = listener.spoilt?.()?.method === call.method
          return isSpoilt ? { reply: { jsonrpc: '2.0', id: call.id, error: OVERLOADED } } : call
        },
        async http(request, forward) {
          const calls = batchIn(request.body)
          if (!calls) return answerOne(request, forward, listener)
          // Some libraries ask several things at once.
          const answers = await Promise.all(
            calls.map((call) =>
              answerOne({ ...request, body: JSON.stringify(call) }, forward, listener),
            ),
          )
          const notJson = answers.find(({ status }) => status !== 200)
          const [first] = answers
          return notJson ?? { ...first!, body: `[${answers.map(({ body }) => body).join(',')}]` }
        },
      }),
    },
  })
}

async function answerOne(
  request: HttpExchange,
  forward: Forward,
  { begin, spoilt, answer, hear }: Listener,
): Promise<HttpAnswer> {
  const call = callIn(request.body)
  if (!call) return forward(request)
  const now = spoilt?.()
  if (now?.method === call.method) {
    begin?.(call)
    if (now.how === 'gone') throw new AnswerLost()
    if (now.how === 'busy') return BUSY
    if (now.how === 'overloaded') return refusalOf(call, OVERLOADED)
    return now.how === 'refused' ? timedOut(call) : refusalOf(call, NO_SIGNER)
  }
  const reply = await answer?.(call)
  begin?.(call)
  if (reply) return jsonAnswer(reply)
  const truth = await forward(request)
  const response = parseObject(truth.body)
  return response ? { ...truth, body: JSON.stringify(await hear(call, response)) } : truth
}

/** Members that are left out, or given by name, are in their place (OPEN-58). */
function callIn(body: string): RpcCall | undefined {
  const inPlace = parseCall(body)
  if (inPlace) return inPlace
  const { method, params = [], ...rest } = parseObject(body) ?? {}
  if (typeof method !== 'string' || !Array.isArray(params)) return undefined
  return { ...rest, method, params }
}

function batchIn(body: string): unknown[] | undefined {
  if (!body.trimStart().startsWith('[')) return undefined
  const value: unknown = JSON.parse(body)
  return Array.isArray(value) && value.length > 0 ? value : undefined
}
