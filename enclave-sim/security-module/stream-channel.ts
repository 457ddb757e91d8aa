import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { VsockError } from '#enclave/vsock/vsock-error'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { NSM_RESPONSE_MAX } from './nsm-messages.ts'
import type { NsmChannel } from './security-module.ts'

/**
 * Guest port of the simulated security module: the guest connects to `<socket path>_<port>`, as
 * hybrid vsock has it. A real enclave has /dev/nsm instead.
 */
export const SECURITY_MODULE_PORT = 9001

const TIMEOUT = 10_000

/** Where the hypervisor of the enclave at `socketPath` serves its simulated security module. */
export function securityModulePath(socketPath: string): string {
  return `${socketPath}_${SECURITY_MODULE_PORT}`
}

/** Connects to a UNIX socket. @throws VsockError */
export function connectSecurityModule(path: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      reject(new VsockError(error.code ?? 'EIO', error.message, error)),
    )
  })
}

/** One CBOR message per frame, one at a time. */
export function streamChannel(stream: Duplex, clock: Clock): NsmChannel {
  return {
    async exchange(request) {
      await withTimeout(
        clock,
        TIMEOUT,
        writeFrame(stream, request),
        () => new VsockError('ETIMEDOUT', 'the security module does not read'),
      )
      return readFrame(stream, { clock, limit: NSM_RESPONSE_MAX, timeout: TIMEOUT })
    },
    close: () => void stream.destroy(),
  }
}
