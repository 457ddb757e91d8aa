/**
 * Guest side of hybrid vsock: plays the VMM's part of the handshake for one port, then hands the
 * bare stream over. A wrong command or port is answered as Firecracker does: by closing.
 */
import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '#protocol/clock/clock'
import { readLine } from './read-line.ts'

export interface HybridListenerOptions {
  /** Path of the UNIX socket; must not exist. */
  path: string
  port: number
  clock: Clock
  onConnection: (stream: Duplex) => void
  /** Connections open at once, handshakes included; more are closed at once. @default 64 */
  maxConnections?: number
}

export interface HybridListener {
  /** Stops listening, drops open connections and removes the socket file. */
  close(): Promise<void>
}

/** Longest command line taken, newline included. Source: Firecracker muxer. */
const LINE_LIMIT = 32
/**
 * Milliseconds. Longer than hosts wait themselves (5 s): on a busy machine seconds lie between their
 * connecting and their command, and whoever is dropped meanwhile takes the enclave for broken.
 */
const HANDSHAKE_TIMEOUT = 60_000
/** Host ports are handed out from here on, as Firecracker does. */
const FIRST_HOST_PORT = 2 ** 30

/** @throws the socket's own error, such as EADDRINUSE */
export function listenHybrid(options: HybridListenerOptions): Promise<HybridListener> {
  const open = new Set<Socket>()
  let hostPort = FIRST_HOST_PORT

  const accept = async (socket: Socket) => {
    const line = await readLine(socket, {
      limit: LINE_LIMIT,
      clock: options.clock,
      timeout: HANDSHAKE_TIMEOUT,
    })
    const [, port] = /^connect\s+(\d{1,10})\s*$/i.exec(line) ?? []
    if (port === undefined || Number(port) !== options.port) return void socket.destroy()
    socket.write(`OK ${hostPort++}\n`)
    options.onConnection(socket)
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // Whoever reads or writes hears of the failure; the event itself must not end the process.
    socket.on('error', () => {})
    accept(socket).catch(() => socket.destroy())
  })
  server.maxConnections = options.maxConnections ?? 64

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.path, () => {
      chmodSync(options.path, 0o600)
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            for (const socket of open) socket.destroy()
          }),
      })
    })
  })
}
