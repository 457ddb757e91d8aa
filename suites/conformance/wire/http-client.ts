import { CaseFailure } from '../case-failure.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'

export interface HttpRequest {
  /** Appended to the base URL. */
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

export interface HttpReply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is none. */
  json: unknown
}

export interface HttpClient {
  readonly url: string
  /** @throws CaseFailure when no reply comes */
  send(request: HttpRequest): Promise<HttpReply>
}

/** Speaks HTTP to one base URL and records every exchange. */
export function createHttpClient(options: {
  url: string
  recorder: ExchangeRecorder
  signal: AbortSignal
}): HttpClient {
  const { url, recorder, signal } = options
  return {
    url,
    async send({ path = '', method = 'POST', headers = {}, body }) {
      const target = path ? `${url.replace(/\/$/, '')}${path}` : url
      const done = recorder.begin('http', target, spellOut(method, path, headers, body))
      try {
        const response = await fetch(target, { method, headers, body: body ?? null, signal })
        const text = await response.text()
        done(text, response.status)
        return { status: response.status, headers: response.headers, text, json: parse(text) }
      } catch (error) {
        done(null)
        signal.throwIfAborted()
        throw new CaseFailure({
          at: 'HTTP reply',
          expected: 'a reply',
          actual: reasonOf(error),
          hint: `${method} ${target} got no reply.`,
        })
      }
    },
  }
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
