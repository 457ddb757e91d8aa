import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import {
  type AccessOptions,
  accessRefusal,
  corsHeaders,
  encodingRefusal,
  refuseUpgrade,
} from '#devnet/base/json-rpc/guard-access'
import { LargeBodies } from '#devnet/base/json-rpc/large-bodies'
import { UnfinishedRequests } from '#devnet/base/json-rpc/unfinished-requests'
import {
  endOnError,
  MAX_WEB_SOCKET_MESSAGE,
  webSocketServer,
} from '#devnet/base/json-rpc/web-socket-server'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { portBusy } from '#devnet/base/process/port-busy'
import { healthAnswer } from '#devnet/base/process/serve-health'
import type { Supervisor } from '#devnet/base/process/supervisor'
import { Turns } from '#devnet/base/process/turns'
import { urlOf } from '#devnet/base/process/url-of'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { AnswerGate } from './archive/answer-gate.ts'
import { archiveBlocks } from './archive/archive-blocks.ts'
import { ArchiveKeeper, type ArchiveKeeperOptions } from './archive/archive-keeper.ts'
import { L1Archive } from './archive/l1-archive.ts'
import type { L1Record } from './archive/l1-record.ts'
import { type AnswerOptions, type Caller, messageAnswerer } from './archive/message-answerer.ts'
import { recallMethods } from './archive/recall.ts'
import { beaconAnswers } from './blobs/beacon-answers.ts'
import { connectIpc } from './ipc/connect-ipc.ts'
import { IpcClient } from './ipc/ipc-client.ts'
import { L1Silence, L1Silent } from './l1-silence.ts'

const LOOPBACK = '127.0.0.1'
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::']
/** Bytes: anvil gets a text as it came, in one go. Blobs for a whole block take half of it. */
const MAX_MESSAGE = MAX_WEB_SOCKET_MESSAGE

export interface ServeL1Options {
  /** By which a disk that took nothing is tried again. */
  clock: Clock
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
  /** By which L1 is found silent; default: the system's. */
  machine?: Clock | undefined
  /** Milliseconds without an answer of anvil after which its callers hear of it; default 20,000. */
  silenceLimit?: number | undefined
}

interface ServedL1 extends OwnedResource {
  /** Where callers come. */
  readonly url: string
  /** Where the parts of this process find it, also when it listens on every address. */
  readonly ownUrl: string
  /** Has `listener` called when another block is the newest in the archive. Returns how to end that. */
  onBlock(listener: () => void): () => void
  /**
   * Does work that makes blocks, while no caller moves anvil's clock, then archives them. Where L1 is
   * recorded, nobody sees a block before it is on disk.
   * @throws L1_NOT_WRITTEN where the disk does not take them, and at once until it has
   */
  archiveAfter<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no try to write what the disk did not take is under way. */
  idle(): Promise<void>
  /** From here on the beacon API hands out other blobs than were posted. Returns how to end that. */
  lieAboutBlobs(): () => void
}

/**
 * Stands before anvil and answers as an anvil would that never forgets: JSON-RPC over HTTP and
 * WebSocket, and blobs by the beacon API. anvil itself lets everybody in; here only those get in who may
 * reach this machine's services. Where anvil no longer answers, an error names it.
 *
 * @param anvilSocket path of the UNIX socket on which anvil listens
 * @param listeners of each call that anvil has carried out for a caller and that may have changed it, and of a
 *   disk that does not take what anvil has
 * @throws PORT_BUSY, LISTEN_FAILED
 */
export async function serveL1(
  anvilSocket: string,
  options: ServeL1Options,
  listeners: Pick<AnswerOptions, 'onCheat'> & Pick<ArchiveKeeperOptions, 'onWaits'> = {},
): Promise<ServedL1> {
  const { clock, host = LOOPBACK, port = 0, access, supervisor, record } = options
  const machine = options.machine ?? systemClock
  const silence = new L1Silence(machine, options.silenceLimit)
  const largeBodies = new LargeBodies({ clock: machine })
  const unfinished = new UnfinishedRequests()
  const anvil = new IpcClient(anvilSocket, () => silence.heard())
  const archived = new L1Archive({ record })
  const heads = new EventEmitter<{ block: [] }>().setMaxListeners(0)
  const archive = archiveBlocks(anvil, archived, { record, onBlock: () => heads.emit('block') })
  const gate = record && new AnswerGate()
  const keeper = new ArchiveKeeper({
    ...{ archive, clock, gate, onWaits: listeners.onWaits },
    newest: () => archived.newest,
  })
  const turns = new Turns()
  const recall = recallMethods(anvil, archived)
  const answer = messageAnswerer({
    ...{ anvil, recall, keeper, gate, turns, largeBodies },
    onCheat: (method, params, result) => {
      record?.heard(method, params, result)
      listeners.onCheat?.(method, params, result)
    },
  })
  const caller: Caller = { forward: (message) => anvil.ask(message), subscribes: false }
  let lies = 0
  const beacon = beaconAnswers({
    ...{ anvil, archived, lies: () => lies > 0 },
    archive: () => keeper.archive(),
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = accessRefusal(request, access) ?? encodingRefusal(request.headers)
    if (refusal) return void response.writeHead(refusal.status, TEXT).end(`${refusal.message}\n`)
    const cors = corsHeaders(request.headers, access)
    const { method, url = '/' } = request
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end()
    if (method === 'GET' && url === '/healthz' && supervisor) {
      const { status, body } = healthAnswer(supervisor.health())
      return void response.writeHead(status, { ...JSON_TYPE, ...cors }).end(body)
    }
    try {
      if (method === 'GET') await serveBeacon(url, response, cors)
      else if (method === 'POST') await serveCall(request, response, cors)
      else sayNo(response, 405, { ...cors, allow: 'POST, GET' }, 'Calls come by POST.')
    } catch (error) {
      sayDead(response, cors, error as Error)
    }
  }

  async function serveCall(
    request: IncomingMessage,
    response: ServerResponse,
    cors: Record<string, string>,
  ): Promise<void> {
    if (request.url?.split('?', 1)[0] !== '/') return sayNo(response, 404, cors, NOTHING_HERE)
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return sayNo(response, 415, cors, 'Content-Type must be application/json.')
    unfinished.overHttp(request, response)
    const body = await bodyOf(request)
    if (response.headersSent) return
    if (!body) return sayNo(response, 413, cors, TOO_LONG)
    const text = await silence.during(answer(body, caller))
    if (text === undefined) return void response.writeHead(204, cors).end()
    response.writeHead(200, { ...JSON_TYPE, ...cors }).end(text)
  }

  async function serveBeacon(
    url: string,
    response: ServerResponse,
    cors: Record<string, string>,
  ): Promise<void> {
    const said = await silence.during(beacon(url))
    if (!said) return sayNo(response, 404, cors, NOTHING_HERE)
    if (gate) await silence.during(gate.pass())
    response.writeHead(said.status, { ...JSON_TYPE, ...cors }).end(said.body)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const sockets = webSocketServer(MAX_MESSAGE)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const refusal = accessRefusal(request, access)
    if (refusal) return refuseUpgrade(stream, refusal)
    sockets.handleUpgrade(request, stream, head, (socket) => {
      unfinished.overSocket(socket, stream)
      join(socket, { anvilSocket, answer, gate, silence })
    })
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    archived.close()
    throw portBusy(error, 'L1', port)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: urlOf(host, bound),
    ownUrl: urlOf(EVERY_ADDRESS.includes(host) ? LOOPBACK : host, bound),
    onBlock(listener) {
      heads.on('block', listener)
      return () => heads.off('block', listener)
    },
    async archiveAfter(work) {
      const both = async () => {
        const done = await turns.take(async () => {
          keeper.requireWritten()
          return await work()
        })
        await keeper.archive()
        return done
      }
      return await (gate ? gate.during(both) : both())
    },
    idle: () => keeper.idle(),
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
      await anvil.stop()
      await keeper.stop()
      await largeBodies.stop()
      await closed
      archived.close()
    },
  }
}

const TEXT = { 'content-type': 'text/plain' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Internal error, which callers try again; of other codes viem says that parameters are wrong. */
const L1_SILENT = -32603

const NOTHING_HERE = 'Nothing is served at this path; calls go to /.'
const TOO_LONG = `The limit is ${MAX_MESSAGE} bytes.`

function sayNo(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  why: string,
): void {
  response.writeHead(status, { ...TEXT, ...headers }).end(`${why}\n`)
}

function sayDead(response: ServerResponse, cors: Record<string, string>, error: Error): void {
  if (response.headersSent) return void response.destroy()
  const why = /ECONNREFUSED|ENOENT/.test(error.message) ? 'anvil has ended.' : error.message
  const body = JSON.stringify(deadAnswer(why, null))
  response.writeHead(503, { ...JSON_TYPE, ...cors }).end(body)
}

function deadAnswer(why: string, id: unknown) {
  const error = { code: L1_SILENT, message: `L1 does not answer: ${why}` }
  return { jsonrpc: '2.0', id, error }
}

/** Undefined: it is too large, and the rest of it is not read. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    // The rest is read and dropped: who sends all before he reads would lose the answer otherwise.
    if (size > MAX_MESSAGE) parts.length = 0
    else parts.push(part)
  }
  return size > MAX_MESSAGE ? undefined : Buffer.concat(parts)
}

interface JoinOptions {
  anvilSocket: string
  answer(body: Buffer, caller: Caller): Promise<string | Buffer | undefined>
  gate: AnswerGate | undefined
  silence: L1Silence
}

/** One caller's connection, with one of its own to anvil for subscriptions and what is anvil's alone. */
function join(socket: WebSocket, { anvilSocket, answer, gate, silence }: JoinOptions): void {
  /** For each message that anvil alone answers: how to end the watch over it. */
  const watches: (() => void)[] = []
  let notified: Promise<unknown> = Promise.resolve()
  const anvil = connectIpc(anvilSocket, {
    onLine(line) {
      silence.heard()
      // Events come of themselves. anvil answers in the order in which it was asked, or nobody at all.
      if (!line.subarray(0, EVENT_HEAD).includes('"method"')) watches.shift()?.()
      if (!gate) return socket.send(line, TEXT_FRAME)
      // In order, and not before what they tell of is recorded.
      notified = notified.then(() => gate.open()).then(() => socket.send(line, TEXT_FRAME))
    },
    onClose: () => socket.close(),
  })
  const refuse = ({ message }: Error, text: string) =>
    socket.send(JSON.stringify(deadAnswer(message, idOf(text))))
  const caller: Caller = {
    async forward(message) {
      watches.push(silence.watch((error) => refuse(error, message)))
      anvil.write(message)
      return undefined
    },
    subscribes: true,
  }
  endOnError(socket)
  socket.on('close', () => {
    for (const end of watches) end()
    anvil.destroy()
  })
  socket.on('message', async (data) => {
    const text = data.toString()
    try {
      const reply = await silence.during(answer(data as Buffer, caller))
      if (reply === undefined) return
      socket.send(reply, TEXT_FRAME)
    } catch (error) {
      if (error instanceof L1Silent) refuse(error, text)
      else socket.terminate()
    }
  })
}

/** Bytes of a line in which an event names its method. */
const EVENT_HEAD = 40

/** As JSON-RPC has it: null where a text names none, or is no JSON. */
function idOf(text: string): unknown {
  try {
    const { id = null } = Object(JSON.parse(text)) as { id?: unknown }
    return id
  } catch {
    return null
  }
}

const TEXT_FRAME = { binary: false }
