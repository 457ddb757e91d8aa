import { WebSocket, WebSocketServer } from 'ws'

/**
 * Bytes of a message; geth has 32 MB, reth 15 MB. `ws` joins and unmasks a message in one go, some 3 ms a
 * megabyte: at 15 MB a flashblock would wait for it. What is longer goes over HTTP.
 */
export const MAX_WEB_SOCKET_MESSAGE = 4 * 1024 * 1024

const TOO_LONG = 1009

/**
 * Takes WebSocket upgrades of another server's connections. A message that is too long closes its socket
 * with 1009, in words; `ws` alone gives the code, and what the peer has sent meanwhile would have it lose
 * even that.
 *
 * @param maxMessageBytes at most MAX_WEB_SOCKET_MESSAGE
 */
export function webSocketServer(maxMessageBytes: number): WebSocketServer {
  const limit = Math.min(maxMessageBytes, MAX_WEB_SOCKET_MESSAGE)
  const tooLong = `A message on a WebSocket may have ${limit} bytes.`
  class TellingWebSocket extends WebSocket {
    override close(code?: number, reason?: string | Buffer): void {
      super.close(code, code === TOO_LONG && reason === undefined ? tooLong : reason)
    }
  }
  return new WebSocketServer({ noServer: true, maxPayload: limit, WebSocket: TellingWebSocket })
}

/** Ends a socket on an error; after a message that is too long, once the peer has heard of it. */
export function endOnError(socket: WebSocket): void {
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // `ws` reads and forgets what the peer goes on to send, and waits for its close.
    if (error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') socket.terminate()
  })
}
