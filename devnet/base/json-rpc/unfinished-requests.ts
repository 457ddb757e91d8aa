import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { HeldBytes, type HeldFor } from './held-bytes.ts'

/** Bytes of a control frame beside its data: two of head, four of mask. */
const CONTROL_FRAME = 6

const HEADERS = { 'content-type': 'application/json', connection: 'close' }

/**
 * One limit over the bodies and messages that callers of a server have begun to send and not ended:
 * each may be as long as one is, but not all at once. Beyond it the caller who has sent most is told so
 * in words and cut off, and nobody else.
 */
export class UnfinishedRequests {
  readonly #held: HeldBytes
  readonly #words: string

  /** @param limit bytes of all callers */
  constructor(limit = 64 * 1024 * 1024) {
    this.#held = new HeldBytes(limit)
    this.#words = `Requests that have not come whole hold ${limit} bytes, and this is the longest.`
  }

  /** Counts the body of a request until it is whole. To be called before anybody reads it. */
  overHttp(request: IncomingMessage, response: ServerResponse): void {
    const held = this.#held.open(() => {
      if (response.headersSent) return void request.destroy()
      const error = { code: -32005, message: 'too many large requests at once', data: this.#words }
      const text = JSON.stringify({ jsonrpc: '2.0', id: null, error })
      response
        .writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(text) })
        .end(text, () => request.destroy())
    })
    // `on` would have it flow before its reader is there.
    request.prependListener('data', (chunk: Buffer) => held.add(chunk.length))
    request.once('end', held.end)
    request.once('close', held.end)
  }

  /** Counts each message of a WebSocket until it is whole. */
  overSocket(socket: WebSocket, stream: Duplex): void {
    const held = this.#held.open(() => {
      socket.close(1013, this.#words)
      // What it goes on to send is not taken.
      ;(stream as Duplex & { destroySoon(): void }).destroySoon()
    })
    const counted = count(held)
    // Before the reader, who may find a message whole by these bytes.
    stream.prependListener('data', (chunk: Buffer) => counted.add(chunk.length))
    socket.on('message', counted.clear)
    for (const event of ['ping', 'pong'] as const)
      socket.on(event, (data: Buffer) => counted.add(-data.length - CONTROL_FRAME))
    socket.once('close', held.end)
  }
}

function count(held: HeldFor) {
  let bytes = 0
  const add = (more: number) => {
    // A control frame may come in the bytes that have made a message whole.
    const change = Math.max(more, -bytes)
    bytes += change
    held.add(change)
  }
  return { add, clear: () => add(-bytes) }
}
