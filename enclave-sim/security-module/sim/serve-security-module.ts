import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import type { Clock } from '#protocol/clock/clock'
import { NSM_REQUEST_MAX } from '../nsm-messages.ts'
import type { SimSecurityModule } from './sim-security-module.ts'

/** Sessions one enclave may hold open. */
const MAX_SESSIONS = 32

/**
 * Serves a simulated security module to one enclave, on the UNIX socket that hybrid vsock gives to
 * guest connections. A session lasts until either end closes it.
 */
export function serveSecurityModule(options: {
  path: string
  module: SimSecurityModule
  clock: Clock
}): Promise<{ close(): Promise<void> }> {
  const { path, module, clock } = options
  const sessions = new Set<Socket>()

  const serve = async (socket: Socket) => {
    for (;;) {
      const request = await readFrame(socket, {
        clock,
        limit: NSM_REQUEST_MAX,
        timeout: Number.POSITIVE_INFINITY,
      })
      await writeFrame(socket, module.respond(request))
    }
  }
  const server = createServer((socket) => {
    sessions.add(socket)
    socket.on('close', () => sessions.delete(socket)).on('error', () => {})
    serve(socket).catch(() => socket.destroy())
  })
  server.maxConnections = MAX_SESSIONS

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      chmodSync(path, 0o600)
      resolve({
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            for (const socket of sessions) socket.destroy()
          }),
      })
    })
  })
}
