/**
 * Host side of hybrid vsock: a UNIX socket where the first line names the guest port.
 * Source: Firecracker docs/vsock.md; vhost-device-vsock speaks the same.
 */
import { connect as connectSocket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { readLine } from './read-line.ts'
import { VsockError } from './vsock-error.ts'

/** Longest acknowledgement: `OK 4294967295\n` fits twice. */
const LINE_LIMIT = 32

/**
 * Connects to `port` of the guest behind the socket at `path`.
 * @param timeout milliseconds for connecting and for the acknowledgement, each
 * @throws VsockError ECONNRESET when nothing listens on that port, ENOENT or ECONNREFUSED when
 * there is no such socket, EPROTO, ETIMEDOUT
 */
export async function connectHybrid(
  path: string,
  port: number,
  { clock, timeout }: { clock: Clock; timeout: number },
): Promise<Duplex> {
  const socket = connectSocket({ path, allowHalfOpen: true })
  try {
    await withTimeout(clock, timeout, connected(socket), () => timedOut(path))
    // One write: a VMM may read the command with a single call.
    socket.write(`CONNECT ${port}\n`)
    const answer = await readLine(socket, { limit: LINE_LIMIT, clock, timeout })
    if (!/^OK \d+$/.test(answer)) throw new VsockError('EPROTO', `unexpected answer ${answer}`)
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

function connected(socket: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', onError)
      resolve()
    })
    const onError = (error: NodeJS.ErrnoException) =>
      reject(new VsockError(error.code ?? 'EIO', error.message, error))
    socket.once('error', onError)
  })
}

const timedOut = (path: string) => new VsockError('ETIMEDOUT', `connecting to ${path} timed out`)
