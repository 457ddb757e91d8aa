import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { WebSocket, WebSocketServer } from 'ws'
import { httpRpcClient } from '../../json-rpc/http-rpc-client.ts'
import type { OwnedResource } from '../../process/owned-resource.ts'
import { archiveBlocks } from './archive-blocks.ts'
import { L1Archive } from './l1-archive.ts'
import { type AnswerOptions, messageAnswerer } from './message-answerer.ts'
import { blobsOf, recallMethods } from './recall.ts'

const LOOPBACK = '127.0.0.1'
/** A state that is loaded may be large; bytes. */
const MAX_MESSAGE = 256 * 1024 * 1024

export interface ArchivedL1 extends OwnedResource {
  readonly url: string
  /** Archives what is new on L1. */
  archive(): Promise<void>
}

/**
 * Stands before anvil on loopback and answers as an anvil would that never forgets: JSON-RPC over HTTP
 * and WebSocket, and blobs by the beacon API.
 * @param anvilPort where anvil listens, on loopback
 * @param onCheat told of each cheat that anvil has carried out for a caller
 */
export async function serveArchivedL1(
  anvilPort: number,
  onCheat?: AnswerOptions['onCheat'],
): Promise<ArchivedL1> {
  const anvil = httpRpcClient(`http://${LOOPBACK}:${anvilPort}`)
  const archived = new L1Archive()
  const archive = archiveBlocks(anvil, archived)
  const recall = recallMethods(anvil, archived)
  const answer = messageAnswerer({ anvil, recall, archive, onCheat })
  const agent = new Agent({ keepAlive: true })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (body.length > MAX_MESSAGE) return void response.writeHead(413).end()
    const text = request.method === 'POST' ? await answer(body.toString()) : await blobs(request)
    if (text === undefined) return passOn(request, body, response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
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

  function passOn(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method, url: path, headers } = request
    const forward = open({ host: LOOPBACK, port: anvilPort, agent, method, path, headers })
    forward.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    // As anvil itself would: whoever stands before us says why.
    forward.on('error', () => response.destroy())
    response.on('close', () => forward.destroy())
    forward.end(body)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    sockets.handleUpgrade(request, stream, head, (socket) => join(socket, anvilPort, answer))
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    archive,
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

/** One caller's connection, with one of its own to anvil for subscriptions and what passes through. */
function join(
  socket: WebSocket,
  anvilPort: number,
  answer: (text: string) => Promise<string | undefined>,
): void {
  const anvil = new WebSocket(`ws://${LOOPBACK}:${anvilPort}`, { maxPayload: MAX_MESSAGE })
  const opened = once(anvil, 'open')
  opened.catch(() => {})
  anvil.on('error', () => socket.terminate())
  anvil.on('close', () => socket.close())
  socket.on('error', () => socket.terminate())
  socket.on('close', () => anvil.terminate())
  anvil.on('message', (data) => socket.send(data.toString()))
  socket.on('message', async (data) => {
    const text = data.toString()
    try {
      const reply = await answer(text)
      if (reply !== undefined) return socket.send(reply)
      await opened
      anvil.send(text)
    } catch {
      socket.terminate()
    }
  })
}
