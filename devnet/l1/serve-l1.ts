import { EventEmitter, once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import {
  type AccessOptions,
  accessRefusal,
  corsHeaders,
  encodingRefusal,
  refusedUpgrade,
} from '#devnet/base/json-rpc/guard-access'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { portBusy } from '#devnet/base/process/port-busy'
import { healthAnswer } from '#devnet/base/process/serve-health'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { Turns } from '#devnet/base/process/turns'
import { AnswerGate } from './archive/answer-gate.ts'
import { archiveBlocks } from './archive/archive-blocks.ts'
import { L1Archive } from './archive/l1-archive.ts'
import type { L1Record } from './archive/l1-record.ts'
import { type AnswerOptions, messageAnswerer } from './archive/message-answerer.ts'
import { blobsOf, recallMethods } from './archive/recall.ts'
import { otherBlobs } from './blobs/other-blobs.ts'

const LOOPBACK = '127.0.0.1'
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::']
/** A state that is loaded may be large; bytes. */
const MAX_MESSAGE = 256 * 1024 * 1024

export interface ServeL1Options {
  /** Where callers come; 127.0.0.1 by default. */
  host?: string | undefined
  /** 0, the default, for a free one. */
  port?: number | undefined
  /** Who may call beside this machine; default nobody. */
  access?: AccessOptions | undefined
  /** Knows whether the devnet around L1 is well; asked at GET /healthz. */
  supervisor?: Supervisor | undefined
  /**
   * Where L1 is to outlive anvil, and what it goes on from: no answer leaves that tells of more than is
   * recorded.
   */
  record?: L1Record | undefined
}

interface ServedL1 extends OwnedResource {
  /** Where callers come. */
  readonly url: string
  /** Where the parts of this process find it, also when it listens on every address. */
  readonly ownUrl: string
  /** Archives what is new on L1. */
  archive(): Promise<void>
  /** Has `listener` called when another block is the newest in the archive. Returns how to end that. */
  onBlock(listener: () => void): () => void
  /**
   * Does work that makes blocks, while no caller moves anvil's clock, then archives them. Where L1 is
   * recorded, nobody sees a block before it is on disk.
   */
  archiveAfter<T>(work: () => Promise<T>): Promise<T>
  /** From here on the beacon API hands out other blobs than were posted. Returns how to end that. */
  lieAboutBlobs(): () => void
}

/**
 * Stands before anvil and answers as an anvil would that never forgets: JSON-RPC over HTTP and
 * WebSocket, and blobs by the beacon API. anvil itself lets pages of any site call it; here only those
 * get in who may reach this machine's services. Where anvil no longer answers, an error names it.
 *
 * @param anvilPort where anvil listens, on loopback
 * @param onCheat told of each call that anvil has carried out for a caller and that may have changed it
 * @throws PORT_BUSY, LISTEN_FAILED
 */
export async function serveL1(
  anvilPort: number,
  options: ServeL1Options,
  onCheat: AnswerOptions['onCheat'],
): Promise<ServedL1> {
  const { host = LOOPBACK, port = 0, access, supervisor, record } = options
  const anvil = httpRpcClient(`http://${LOOPBACK}:${anvilPort}`)
  const archived = new L1Archive({ record })
  const heads = new EventEmitter<{ block: [] }>().setMaxListeners(0)
  const archive = archiveBlocks(anvil, archived, { record, onBlock: () => heads.emit('block') })
  const gate = record && new AnswerGate()
  const turns = new Turns()
  const recall = recallMethods(anvil, archived)
  const answer = messageAnswerer({
    ...{ anvil, recall, archive, gate, turns },
    onCheat: (method, params, result) => {
      record?.heard(method, params, result)
      onCheat?.(method, params, result)
    },
  })
  const agent = new Agent({ keepAlive: true })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = accessRefusal(request, access) ?? encodingRefusal(request.headers)
    if (refusal) return void response.writeHead(refusal.status, TEXT).end(`${refusal.message}\n`)
    const cors = corsHeaders(request.headers, access)
    const { method, url } = request
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end()
    if (method === 'GET' && url === '/healthz' && supervisor) {
      const { status, body } = healthAnswer(supervisor.health())
      return void response.writeHead(status, { ...JSON_TYPE, ...cors }).end(body)
    }
    const body = await bodyOf(request)
    if (!body) return void response.writeHead(413, { connection: 'close', ...cors }).end()
    try {
      const text = method === 'POST' ? await answer(body.toString()) : await blobsFor(request)
      if (text === undefined) return passOn(request, body, response, cors)
      await gate?.open()
      response.writeHead(200, { ...JSON_TYPE, ...cors }).end(text)
    } catch (error) {
      sayDead(response, cors, error as Error)
    }
  }

  let lies = 0

  /** The answer where it is not anvil's. */
  async function blobsFor(request: IncomingMessage): Promise<string | undefined> {
    const forgotten = await blobs(request)
    const { url = '' } = request
    if (lies === 0 || !url.startsWith('/eth/v1/beacon/blob')) return forgotten
    if (forgotten !== undefined) return otherBlobs(forgotten)
    const reply = await fetch(`http://${LOOPBACK}:${anvilPort}${url}`)
    return reply.ok ? otherBlobs(await reply.text()) : undefined
  }

  /** Blobs of a block that anvil has forgotten. */
  async function blobs({ url = '' }: IncomingMessage): Promise<string | undefined> {
    const { pathname, searchParams } = new URL(url, 'http://l1')
    const [, number] = /^\/eth\/v1\/beacon\/blobs\/(\d+)$/.exec(pathname) ?? []
    const newest = archived.newest ?? 0
    const hash = Number(number) <= newest ? archived.hashAt(Number(number)) : undefined
    const block = hash && (await archived.block(hash))
    if (!block) return undefined
    const wanted = searchParams.getAll('versioned_hashes').flatMap((some) => some.split(','))
    const data = blobsOf(block, wanted)
    return JSON.stringify({ execution_optimistic: false, finalized: false, data })
  }

  function passOn(
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    cors: Record<string, string>,
  ): void {
    const { method, url: path, headers } = request
    const forward = open({ host: LOOPBACK, port: anvilPort, agent, method, path, headers })
    forward.on('response', async (reply) => {
      await gate?.open()
      const own = Object.entries(reply.headers).filter(([name]) => !/^access-control-/.test(name))
      response.writeHead(reply.statusCode ?? 502, { ...Object.fromEntries(own), ...cors })
      reply.pipe(response)
    })
    forward.on('error', (error: NodeJS.ErrnoException) => {
      // anvil closed an idle connection at the moment of its use, so it never read the request.
      const closedWhenIdle = forward.reusedSocket && error.code === 'ECONNRESET'
      if (closedWhenIdle && !response.headersSent && !response.destroyed)
        passOn(request, body, response, cors)
      else sayDead(response, cors, error)
    })
    response.on('close', () => forward.destroy())
    forward.end(body)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const refusal = accessRefusal(request, access)
    if (refusal) return void stream.end(refusedUpgrade(refusal))
    sockets.handleUpgrade(request, stream, head, (socket) => join(socket, anvilPort, answer, gate))
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    archived.close()
    throw portBusy(error, 'L1', port)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host}:${bound}`,
    ownUrl: `http://${EVERY_ADDRESS.includes(host) ? LOOPBACK : host}:${bound}`,
    archive,
    onBlock(listener) {
      heads.on('block', listener)
      return () => heads.off('block', listener)
    },
    async archiveAfter(work) {
      const both = async () => {
        const done = await turns.take(work)
        await archive()
        return done
      }
      return await (gate ? gate.during(both) : both())
    },
    lieAboutBlobs() {
      lies += 1
      return () => {
        lies -= 1
      }
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of sockets.clients) socket.terminate()
      agent.destroy()
      await closed
      archived.close()
    },
  }
}

const TEXT = { 'content-type': 'text/plain' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Internal error, which callers try again; of other codes viem says that parameters are wrong. */
const L1_SILENT = -32603

function sayDead(response: ServerResponse, cors: Record<string, string>, error: Error): void {
  if (response.headersSent) return void response.destroy()
  const why = /ECONNREFUSED/.test(error.message) ? 'anvil has ended.' : error.message
  const message = `L1 does not answer: ${why}`
  const body = { jsonrpc: '2.0', id: null, error: { code: L1_SILENT, message } }
  response.writeHead(503, { ...JSON_TYPE, ...cors }).end(JSON.stringify(body))
}

/** Undefined: it is too large, and the rest of it is not read. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_MESSAGE) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** One caller's connection, with one of its own to anvil for subscriptions and what passes through. */
function join(
  socket: WebSocket,
  anvilPort: number,
  answer: (text: string) => Promise<string | undefined>,
  gate: AnswerGate | undefined,
): void {
  const anvil = new WebSocket(`ws://${LOOPBACK}:${anvilPort}`, { maxPayload: MAX_MESSAGE })
  const opened = once(anvil, 'open')
  opened.catch(() => {})
  anvil.on('error', () => socket.terminate())
  anvil.on('close', () => socket.close())
  socket.on('error', () => socket.terminate())
  socket.on('close', () => anvil.terminate())
  let told: Promise<unknown> = Promise.resolve()
  anvil.on('message', (data) => {
    if (!gate) return socket.send(data.toString())
    // In order, and not before what they tell of is recorded.
    told = told.then(() => gate.open()).then(() => socket.send(data.toString()))
  })
  socket.on('message', async (data) => {
    const text = data.toString()
    try {
      const reply = await answer(text)
      if (reply !== undefined) {
        await gate?.open()
        return socket.send(reply)
      }
      await opened
      anvil.send(text)
    } catch {
      socket.terminate()
    }
  })
}
