import { CaseFailure, cannotJudge } from '../case-failure.ts'
import type { Pieces } from './ask.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'
import type { HttpClient, HttpReply } from './http-client.ts'

/** A reply to one call, before anything is believed of it. */
export interface RpcReply {
  /** The response object as it came; {} when the body is no object. */
  body: Readonly<Record<string, unknown>>
  http: HttpReply
}

export interface JsonRpcClient {
  readonly url: string
  /** Sends text that may be no JSON-RPC at all. */
  post(body: string, options?: PostOptions): Promise<RpcReply>
  /** GETs a path beside the JSON-RPC endpoint. */
  get(path: string): Promise<RpcReply>
  /** Sends one well-formed call. */
  call(method: string, params?: unknown, id?: unknown): Promise<RpcReply>
  /** The result of one call. @throws CaseFailure on an error reply, or none */
  result(method: string, params?: unknown): Promise<unknown>
}

export interface PostOptions {
  path?: string
  method?: string
  headers?: Record<string, string>
  pieces?: Pieces
}

const METHOD_NOT_FOUND = -32601
/** EIP-1474, as Hardhat and ganache answer. */
const METHOD_NOT_SUPPORTED = -32004
/** EIP-1474 "Limit exceeded", which some nodes also answer to a range that is too large. */
const LIMIT_EXCEEDED = -32005
/** In the words of geth and its kin, and of a host that did not reach its enclave in time. */
const GAVE_UP = [
  /^execution aborted \(timeout|deadline exceeded|canceled due to enabled timeout/i,
  /^connect(?:ion)? timed out/i,
]
const JSON_HEADERS = { 'content-type': 'application/json' }

/** JSON-RPC 2.0 over one HTTP client (RPC-ENV-01, -03). */
export function createJsonRpcClient(http: HttpClient, recorder?: ExchangeRecorder): JsonRpcClient {
  let lastId = 0
  const client: JsonRpcClient = {
    url: http.url,
    async post(body, { path, method, headers = JSON_HEADERS, pieces } = {}) {
      const reply = await http.send({
        headers,
        body,
        ...(path === undefined ? {} : { path }),
        ...(method === undefined ? {} : { method }),
        ...(pieces === undefined ? {} : { pieces }),
      })
      return { body: asObject(reply.json), http: reply }
    },
    async get(path) {
      const reply = await http.send({ path, method: 'GET' })
      return { body: asObject(reply.json), http: reply }
    },
    async call(method, params = [], id = ++lastId) {
      const reply = await client.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      const error = asObject(reply.body.error)
      recorder?.noteMethod(method, !isMissing(error))
      if (isRateLimit(error)) {
        cannotJudge(
          `The target limits requests: ${String(error.message)}. Ask it more slowly: --rps.`,
        )
      }
      return reply
    },
    async result(method, params = []) {
      return resultOf(await client.call(method, params), method)
    },
  }
  return client
}

/** The error of a reply; empty where it has none. */
export function errorIn({ body }: RpcReply): { code?: unknown; message?: unknown } {
  return (body.error ?? {}) as { code?: unknown; message?: unknown }
}

/**
 * The result member of a reply.
 * @throws CaseFailure when the reply has an error, or no result @throws CaseSetAside when the target gave up
 */
export function resultOf(reply: RpcReply, method = 'call'): unknown {
  if ('result' in reply.body && !('error' in reply.body)) return reply.body.result
  judgeNoAnswer(reply)
  throw new CaseFailure({
    at: `response to ${method}`,
    expected: 'a result',
    actual: reply.http.json ?? `HTTP ${reply.http.status}: ${reply.http.text.slice(0, 200)}`,
  })
}

/**
 * Ends a case without a verdict where the target gave the call up at a time limit of its own: on a busy
 * machine that says nothing of what it would have answered.
 * @throws CaseSetAside
 */
export function judgeNoAnswer({ body }: RpcReply): void {
  const error = asObject(body.error)
  if (isGivenUp(error))
    cannotJudge(
      `The target gave a call up at its own time limit: ${error.message}. Is its machine busy?`,
    )
}

/** Whether an error says that the target gave the call up, or has too many: nothing of what it would answer. */
export function saysNothing(error: unknown): boolean {
  const members = asObject(error)
  return isGivenUp(members) || isRateLimit(members)
}

function isGivenUp({ message }: Readonly<Record<string, unknown>>): boolean {
  return GAVE_UP.some((words) => words.test(String(message)))
}

/** By its code, or by its words: ganache says it by -32700, the code of a body that is no JSON. */
function isMissing({ code, message }: Readonly<Record<string, unknown>>): boolean {
  if (code === METHOD_NOT_FOUND || code === METHOD_NOT_SUPPORTED) return true
  return /^the method \S+ (does not exist|is not available)/i.test(String(message))
}

function isRateLimit({ code, message }: Readonly<Record<string, unknown>>): boolean {
  const isSaid = /too many requests|rate.?limit|throttl|compute units per second/i.test(
    String(message),
  )
  return isSaid && (code === LIMIT_EXCEEDED || code === 429 || code === -32029 || code === -32016)
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
