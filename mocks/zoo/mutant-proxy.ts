import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '#protocol/clock/clock'
import type {
  Forward,
  HttpAnswer,
  HttpExchange,
  Mutant,
  MutantHooks,
  SentMessage,
} from './mutant.ts'
import { mutateRpcBody, parseCall, unmutated } from './mutate-rpc-body.ts'

const MAX_BODY = 32 * 1024 * 1024
const HOP_HEADERS = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
])

export interface MutantProxy {
  /** Stands in for the target's URL, with the same scheme. */
  url: string
  /** Takes no connection any more; those that it has are served on. */
  stopListening(): void
  stop(): Promise<void>
}

export interface MutantProxyOptions {
  /** http(s) or ws(s) URL of the real target. */
  target: string
  /** Absent: passes everything unchanged. */
  mutant?: Mutant
  clock: Clock
  /** Answers of the target to keep, by request body, for what is slow and always the same. */
  cache?: Map<string, Promise<HttpAnswer>>
  /** Which request bodies are kept. */
  isCached?: (body: string) => boolean
  /** Told when a generated mutant made its mistake. */
  noteChange?: () => void
}

/** Starts a proxy on a free loopback port that answers as the target does, but for one mistake. */
export async function startMutantProxy(options: MutantProxyOptions): Promise<MutantProxy> {
  const { target, mutant, clock, cache, isCached, noteChange } = options
  const httpTarget = target.replace(/^ws/, 'http').replace(/\/$/, '')
  const stopping = new AbortController()

  const forward: Forward = async (request) => {
    const ask = () => forwardTo(httpTarget, request, stopping.signal)
    if (!cache || !isCached?.(request.body)) return ask()
    const kept = cache.get(request.body) ?? ask()
    cache.set(request.body, kept)
    return kept
  }
  let underWay = 0
  const hooks =
    mutant?.apply({
      clock,
      ask: (method, params) => askRpc(forward, method, params),
      underWay: () => underWay,
      ...(noteChange && { noteChange }),
    }) ?? {}
  const answer = async (request: HttpExchange) => {
    underWay += 1
    try {
      return await (hooks.http
        ? hooks.http(request, forward)
        : mutateRpcBody(request, forward, hooks))
    } finally {
      underWay -= 1
    }
  }

  const server = createServer((request, response) => {
    serve(request, response, answer).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (client) => relay(client, target.replace(/^http/, 'ws'), hooks, clock))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${target.startsWith('ws') ? 'ws' : 'http'}://127.0.0.1:${port}`,
    stopListening() {
      server.closeIdleConnections = () => undefined
      server.close()
    },
    stop: async () => {
      stopping.abort()
      for (const client of sockets.clients) client.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: HttpExchange) => Promise<HttpAnswer>,
): Promise<void> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) throw new RangeError('the body is too long for the proxy')
    chunks.push(chunk)
  }
  const { status, headers, body } = await answer({
    method: request.method ?? 'GET',
    path: request.url === '/' ? '' : (request.url ?? ''),
    headers: plainHeaders(Object.entries(request.headers)),
    body: Buffer.concat(chunks).toString(),
    firstPiece: chunks[0]?.length ?? 0,
    isChunked: request.headers['transfer-encoding'] !== undefined,
  })
  response.writeHead(status, { ...headers }).end(body)
}

async function forwardTo(
  target: string,
  { method, path, headers, body }: HttpExchange,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers: { ...headers }, signal, ...(hasBody ? { body } : {}) }
  const reply = await fetch(`${target}${path}`, init)
  const kept = [...reply.headers].filter(([name]) => name !== 'content-encoding')
  return { status: reply.status, headers: plainHeaders(kept), body: await reply.text() }
}

async function askRpc(forward: Forward, method: string, params: readonly unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const reply = await forward({ method: 'POST', path: '', headers, body })
  return (JSON.parse(reply.body) as { result?: unknown }).result ?? null
}

/** Passes messages both ways, with the hooks' changes. */
function relay(client: WebSocket, target: string, hooks: MutantHooks, clock: Clock): void {
  const upstream = new WebSocket(target)
  const waiting: string[] = []
  const send = (text: string) =>
    upstream.readyState === WebSocket.OPEN ? upstream.send(text) : waiting.push(text)
  const toClient = (message: unknown) => {
    if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify(message))
  }
  client.on('message', (data: RawData) => {
    const text = hooks.text ? hooks.text(String(data), client) : String(data)
    if (text === null) return
    const call = parseCall(text)
    const changed = call && (hooks.call?.(call, client) ?? call)
    if (changed && 'reply' in changed) toClient(changed.reply)
    else send(changed ? JSON.stringify(changed) : text)
  })
  upstream.on('open', () => {
    for (const text of waiting.splice(0)) upstream.send(text)
  })
  upstream.on('message', (data: RawData) => {
    const parsed = JSON.parse(String(data))
    const sent: SentMessage | null = hooks.message
      ? hooks.message(parsed, client)
      : unmutated(parsed)
    if (!sent) return
    const { message, delay, times = 1 } = sent
    const deliver = () => {
      for (let time = 0; time < times; time++) toClient(message)
    }
    if (delay > 0) clock.after(delay, deliver)
    else deliver()
  })
  client.on('close', () => {
    hooks.left?.(client)
    upstream.terminate()
  })
  client.on('error', () => upstream.terminate())
  upstream.on('close', () => client.terminate())
  upstream.on('error', () => client.terminate())
}

function plainHeaders(entries: readonly [string, unknown][]): Record<string, string> {
  const kept = entries.filter(([name]) => !HOP_HEADERS.has(name.toLowerCase()))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
