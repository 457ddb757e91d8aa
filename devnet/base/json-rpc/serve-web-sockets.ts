import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type DispatchContext, dispatch } from './dispatch.ts'
import type { DispatchingAt } from './dispatching-at.ts'
import { type AccessOptions, accessRefusal, refuseUpgrade } from './guard-access.ts'
import type { HeldBytes, HeldFor } from './held-bytes.ts'
import type { RpcConnection } from './json-rpc-server.ts'
import { notificationText } from './notification-text.ts'
import type { UnfinishedRequests } from './unfinished-requests.ts'
import { endOnError, webSocketServer } from './web-socket-server.ts'

export interface WebSocketOptions {
  dispatchingAt: DispatchingAt
  access?: AccessOptions | undefined
  maxMessageBytes: number
  maxUnsentBytes: number
  unsent: HeldBytes
  unfinished: UnfinishedRequests
}

/** Calls of one connection that may be under way; beyond, its socket is not read. */
const MAX_IN_FLIGHT = 256

/** Answers WebSocket upgrades of an HTTP server with JSON-RPC, at each path that has methods. */
export function serveWebSockets(
  server: Server,
  options: WebSocketOptions,
): { close(): Promise<void> } {
  const sockets = webSocketServer(options.maxMessageBytes)
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const path = request.url?.split('?', 1)[0] ?? '/'
    if (!options.dispatchingAt(path))
      return refuseUpgrade(stream, { status: 404, message: 'Nothing is served at this path.' })
    const refusal = accessRefusal(request, options.access)
    if (refusal) return refuseUpgrade(stream, refusal)
    sockets.handleUpgrade(request, stream, head, (socket) => {
      options.unfinished.overSocket(socket, stream)
      serveSocket(socket, path, options)
    })
  })
  return {
    close() {
      const gone = [...sockets.clients].map((socket) => {
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        socket.close(1001, 'The server is shutting down.')
        // A peer that does not answer the close frame must not hold us up.
        setImmediate(() => socket.terminate())
        return closed
      })
      sockets.close()
      return Promise.all(gone).then(() => undefined)
    },
  }
}

function serveSocket(socket: WebSocket, path: string, options: WebSocketOptions): void {
  const caller = new AbortController()
  const unsent = options.unsent.open(() => socket.terminate())
  const send = (text: string) => sendBounded(socket, text, options.maxUnsentBytes, unsent)
  const connection = connectionOf(socket, send)
  const context: DispatchContext = { signal: caller.signal, connection, unsent }
  let inFlight = 0
  socket.on('close', () => {
    caller.abort(new Error('The caller went away.'))
    unsent.end()
  })
  endOnError(socket)
  socket.on('message', (data) => {
    const dispatching = options.dispatchingAt(path)
    if (!dispatching) return socket.close(1001, 'Nothing is served at this path any more.')
    const reply = dispatch(data as Buffer, context, dispatching)
    if (!(reply instanceof Promise)) return reply === undefined ? undefined : send(reply)
    if (++inFlight >= MAX_IN_FLIGHT) socket.pause()
    reply.then((text) => {
      if (--inFlight < MAX_IN_FLIGHT && socket.isPaused) socket.resume()
      if (text !== undefined) send(text)
    })
  })
}

function connectionOf(socket: WebSocket, send: (text: string) => void): RpcConnection {
  return {
    notify: (method, params) => send(notificationText(method, params)),
    cutOff: (reason) => socket.close(1013, reason),
    onClose: (action) => void socket.once('close', action),
  }
}

/** A client that does not keep up is told and closed: messages are never dropped one by one. */
function sendBounded(
  socket: WebSocket,
  text: string,
  maxUnsentBytes: number,
  unsent: HeldFor,
): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > maxUnsentBytes) {
    socket.close(1013, `Too slow: ${socket.bufferedAmount} bytes are waiting.`)
  } else {
    unsent.add(text.length)
    socket.send(text, () => unsent.add(-text.length))
  }
}
