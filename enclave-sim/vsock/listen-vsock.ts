import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenNative, type NativeAddress } from './native-socket.ts'
import { CID_ANY, vsockAddress } from './vsock-address.ts'

export interface VsockListenerOptions {
  port: number
  onConnection: (stream: Duplex) => void
  /** Connections open at once; more are closed at once. @default 64 */
  maxConnections?: number
  /** @default `port` on whatever CID this machine has */
  address?: NativeAddress
}

/**
 * The enclave's side of AF_VSOCK: in a Nitro enclave or another virtual machine.
 * @throws VsockError EADDRINUSE; EAFNOSUPPORT where the kernel has no vsock
 */
export async function listenVsock(
  options: VsockListenerOptions,
): Promise<{ close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server: Server = await listenNative(options.address ?? vsockAddress(CID_ANY, options.port))
  server.maxConnections = options.maxConnections ?? 64
  server.on('connection', (socket) => {
    open.add(socket)
    // Whoever reads or writes hears of the failure; the event itself must not end the process.
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    options.onConnection(socket)
  })
  return {
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const socket of open) socket.destroy()
      }),
  }
}
