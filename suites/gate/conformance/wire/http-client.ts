import type { IncomingHttpHeaders } from 'node:http'
import { CaseFailure, cannotJudge } from '../case-failure.ts'
import { ask, type Pieces } from './ask.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'
import { parseJson } from './parse-json.ts'
import type { TargetLine } from './target-line.ts'

/** Longer than this is not waited for when a target says `Retry-After`. */
const LONGEST_HOLD = 30_000
const MOST_SENDS = 5
/** A server may close a connection that is idle just as the next request goes out on it (RFC 9112, 9.3.1). */
const CLOSED_WHILE_IDLE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

export interface HttpRequest {
  /** Appended to the base URL. */
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Absent: the body is written at once. */
  pieces?: Pieces
}

export interface HttpReply {
  status: number
  text: string
  /** The body as JSON; undefined when it is none. */
  json: unknown
  /** As the reply says it. */
  contentType: string | undefined
}

export interface HttpClient {
  readonly url: string
  /** @throws CaseFailure when no reply comes @throws CaseSetAside when the target limits requests */
  send(request: HttpRequest): Promise<HttpReply>
}

/**
 * Speaks HTTP to one base URL and records every exchange. A rate limit says nothing about the rules:
 * its `Retry-After` is waited for, and without one there is no verdict.
 */
export function createHttpClient(options: {
  url: string
  recorder: ExchangeRecorder
  signal: AbortSignal
  /** Paces the requests, and gives them their headers. Default: neither. */
  line?: TargetLine
}): HttpClient {
  const { url, recorder, signal, line } = options
  return {
    url,
    async send({ path = '', method = 'POST', headers = {}, body, pieces }) {
      const target = path ? `${url.replace(/\/$/, '')}${path}` : url
      const sent = { method, headers, keys: line?.headers, body, pieces, signal }
      for (let sends = 1; ; sends++) {
        await line?.take(signal)
        const done = recorder.begin('http', target, spellOut(method, path, headers, body))
        const response = await ask(target, sent).catch((error) => {
          done(null)
          signal.throwIfAborted()
          // Others that are kept may be closed by now, too.
          if (sends < MOST_SENDS && wasClosedWhileIdle(error)) return undefined
          throw noReply(`${method} ${target}`, error)
        })
        if (!response) continue
        const text = await response.text().catch((error) => {
          done(null)
          signal.throwIfAborted()
          throw noReply(`${method} ${target}`, error)
        })
        done(text, response.status)
        const { status, headers: received } = response
        const reply = { status, text, json: parseJson(text), contentType: received['content-type'] }
        if (!isLimited(reply, received)) return reply
        const wait = retryAfterOf(received)
        if (!line || wait === undefined || wait > LONGEST_HOLD || sends >= MOST_SENDS) {
          cannotJudge(
            `The target limits requests (HTTP ${reply.status}). Ask it more slowly: --rps.`,
          )
        }
        line.hold(wait)
      }
    },
  }
}

/** Whether a request went out on a kept connection that the server was closing: another one is in order. */
export function wasClosedWhileIdle(error: unknown): boolean {
  return CLOSED_WHILE_IDLE.has(codeOf(error))
}

/** Of a connection of ours, or of `fetch`, which tells it as the cause. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? code)
}

function noReply(request: string, error: unknown): CaseFailure {
  return new CaseFailure({
    at: 'HTTP reply',
    expected: 'a reply',
    actual: reasonOf(error),
    hint: `${request} got no reply.`,
  })
}

/** 429, or a 503 of what stands in front of the target: its own would be JSON or have no wait in it. */
function isLimited({ status, json }: HttpReply, headers: IncomingHttpHeaders): boolean {
  const says = headers['retry-after'] !== undefined
  return status === 429 || (status === 503 && (says || json === undefined))
}

/** Milliseconds; undefined for no header, or for a date. */
function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']
  return text && /^\d+$/.test(text) ? Number(text) * 1_000 : undefined
}

/** JSON bodies are recorded bare, so that they can be pasted; anything unusual is spelled out. */
function spellOut(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
): string {
  const plain = method === 'POST' && !path && headers['content-type'] === 'application/json'
  if (plain) return body ?? ''
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path || '/'}`, ...lines, '', body ?? ''].join('\n').trimEnd()
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
