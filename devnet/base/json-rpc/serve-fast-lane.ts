import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '#protocol/clock/clock'
import { answerPieces, PIECE } from './answer-pieces.ts'
import { CorkedWrites } from './corked-writes.ts'
import { dispatch } from './dispatch.ts'
import type { DispatchingAt } from './dispatching-at.ts'
import { type AccessOptions, accessRefusal } from './guard-access.ts'
import type { HeldBytes, HeldFor } from './held-bytes.ts'
import { type PlainCall, parsePlainCall } from './parse-plain-call.ts'

export interface FastLaneOptions {
  clock: Clock
  dispatchingAt: DispatchingAt
  access?: AccessOptions | undefined
  /** Bytes of a body that are answered here; at most the server's own limit. */
  maxBodyBytes: number
  unsent: HeldBytes
}

interface FastLane {
  /** Ends each connection once its call in flight, if it has one, is answered. */
  close(): void
  closeNow(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** Characters from which head and text are handed on apart: together they would be one more copy. */
const JOINED = 64 * 1024
/** Connections served here; they may be silent for ever, so more of them are left to the server. */
const MAX_LANES = 1_000
/** Bytes that a connection may send ahead of its answers. */
const MAX_UNREAD = 64 * 1024
/** Heads of which a connection remembers what they say. */
const MAX_HEADS = 32
/** Milliseconds of silence after which the system asks whether a peer is still there. */
const PROBE_AFTER = 60_000

/**
 * Answers the plainest requests on a server's connections without node:http, at a quarter of its cost:
 * a POST with a JSON body, that came whole. At the first other request the connection goes over
 * to the server as if nobody had read from it, and stays there.
 */
export function serveFastLane(server: Server, options: FastLaneOptions): FastLane {
  const [serveWithHttp] = server.listeners('connection') as ((socket: Socket) => void)[]
  const lanes = new Set<Lane>()
  const corked = new CorkedWrites(options.clock)
  let isClosing = false
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (isClosing || lanes.size >= MAX_LANES) return void serveWithHttp!.call(server, socket)
    const lane = new Lane(socket, { ...options, corked }, (unread) => {
      lanes.delete(lane)
      if (!unread) return
      serveWithHttp!.call(server, socket)
      socket.unshift(unread)
    })
    lanes.add(lane)
  })
  return {
    close() {
      isClosing = true
      for (const lane of lanes) lane.close()
    },
    closeNow() {
      for (const lane of lanes) lane.closeNow()
    },
  }
}

interface LaneOptions extends FastLaneOptions {
  corked: CorkedWrites
}

/** One connection, one request after the other. */
class Lane {
  readonly #socket: Socket
  readonly #options: LaneOptions
  readonly #leave: (unread?: Buffer) => void
  readonly #caller = new AbortController()
  readonly #unsent: HeldFor
  /** What came after the request that is being answered. */
  #unread: Buffer | undefined
  #isAnswering = false
  #isClosing = false
  /** What heads say whose calls may be served here: those of one client differ in the length of the body alone. */
  readonly #calls = new Map<string, PlainCall>()

  /** @param leave is called when nothing more is answered here; `unread` is for the server to answer */
  constructor(socket: Socket, options: LaneOptions, leave: (unread?: Buffer) => void) {
    this.#socket = socket
    this.#options = options
    this.#leave = leave
    this.#unsent = options.unsent.open(() => socket.destroy())
    socket.setNoDelay(true)
    socket.setKeepAlive(true, PROBE_AFTER)
    socket.on('data', this.#read)
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  close(): void {
    this.#isClosing = true
    if (!this.#isAnswering) this.closeNow()
  }

  closeNow(): void {
    this.#socket.destroy()
  }

  readonly #onEnd = () => this.#socket.destroySoon()
  readonly #onError = () => this.#socket.destroy()
  readonly #onClose = () => {
    this.#caller.abort(new Error('The caller went away.'))
    this.#unsent.end()
    this.#leave()
  }

  readonly #read = (chunk: Buffer) => {
    if (this.#isAnswering) {
      // Read on, to hear when the caller goes; but not for ever.
      this.#unread = this.#unread ? Buffer.concat([this.#unread, chunk]) : chunk
      if (this.#unread.length > MAX_UNREAD) this.#socket.pause()
      return
    }
    const head = chunk.indexOf(HEAD_END)
    const call = head < 0 ? undefined : this.#callOf(chunk.toString('latin1', 0, head))
    const dispatching = call && this.#options.dispatchingAt(call.path)
    const start = head + HEAD_END.length
    if (!dispatching || start + call.length > chunk.length) return this.#handOver(chunk)
    const end = start + call.length
    this.#unread = end < chunk.length ? chunk.subarray(end) : undefined
    const { signal } = this.#caller
    const asked = this.#options.clock.now()
    const answer = dispatch(
      call.length < JOINED ? chunk.toString('utf8', start, end) : chunk.subarray(start, end),
      { signal, unsent: this.#unsent },
      dispatching,
    )
    this.#isAnswering = true
    if (!(answer instanceof Promise)) return this.#answer(answer ?? '', asked)
    answer.then((text) => this.#answer(text ?? '', asked))
  }

  /** What a head says, if its call may be served here. */
  #callOf(head: string): PlainCall | undefined {
    const known = this.#calls.get(head)
    if (known) return known
    const call = parsePlainCall(head)
    if (!call || call.length > this.#options.maxBodyBytes) return undefined
    const request = { headers: { host: call.host }, rawHeaders: [], socket: this.#socket }
    if (accessRefusal(request, this.#options.access)) return undefined
    if (this.#calls.size >= MAX_HEADS) this.#calls.clear()
    this.#calls.set(head, call)
    return call
  }

  /** @param asked when its request came */
  #answer(text: string, asked: number): void {
    const socket = this.#socket
    if (socket.destroyed) return
    const connection = this.#isClosing ? 'close' : 'keep-alive'
    this.#unsent.add(text.length)
    const sent = () => this.#unsent.add(-text.length)
    const length = Buffer.byteLength(text)
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\nconnection: ${connection}\r\n\r\n`
    if (text.length > PIECE) {
      socket.write(head)
      this.#sendPieces(answerPieces(text), sent)
      return
    }
    // Of plain text a copy is made that is as long as it is; of other text one three times as long.
    const encoding = length === text.length ? 'latin1' : 'utf8'
    if (text.length > JOINED) {
      socket.cork()
      socket.write(head)
      const hasRoom = socket.write(text, encoding, sent)
      socket.uncork()
      this.#goOn(hasRoom)
    } else {
      this.#options.corked.add(() => this.#goOn(socket.write(head + text, encoding, sent)), asked)
    }
  }

  #goOn(hasRoom: boolean): void {
    const socket = this.#socket
    if (this.#isClosing) {
      socket.destroySoon()
    } else if (hasRoom) {
      this.#next()
    } else {
      // Nothing more is read from a caller who does not read.
      socket.pause()
      socket.once('drain', this.#next)
    }
  }

  /** Nothing more is read from a caller before it has read them. */
  #sendPieces(pieces: Iterator<Buffer, void>, sent: () => void): void {
    const socket = this.#socket
    const { value } = pieces.next()
    if (value) {
      socket.pause()
      socket.write(value, (error) => {
        if (!error) this.#sendPieces(pieces, sent)
      })
      return
    }
    sent()
    if (this.#isClosing) socket.destroySoon()
    else this.#next()
  }

  readonly #next = () => {
    const unread = this.#unread
    this.#unread = undefined
    this.#isAnswering = false
    if (unread) this.#read(unread)
    if (!this.#isAnswering && this.#socket.isPaused()) this.#socket.resume()
  }

  #handOver(unread: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#read)
    socket.off('end', this.#onEnd)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    this.#unsent.end()
    this.#leave(unread)
  }
}
