import type { Duplex } from 'node:stream'
import type { Clock } from '#protocol/clock/clock'
import { connectHybrid } from './connect-hybrid.ts'
import type { Endpoint } from './endpoint.ts'
import { connectNative } from './native-socket.ts'
import { vsockAddress } from './vsock-address.ts'

/** Milliseconds a host waits for a connection (facts of the Base host: connect timer 5 s). */
export const CONNECT_TIMEOUT = 5_000

/**
 * A stream to an enclave. Never `end()` it to mark the end of a request: a half-close is lost on
 * some transports. Destroy it when the response was read.
 * @param options.timeout milliseconds. @default CONNECT_TIMEOUT
 * @throws VsockError
 * @example const stream = await connect(parseEndpoint('unix:/run/e/vsock:8000'), { clock })
 */
export async function connect(
  endpoint: Endpoint,
  options: { clock: Clock; timeout?: number },
): Promise<Duplex> {
  const { clock, timeout = CONNECT_TIMEOUT } = options
  if (endpoint.kind === 'unix')
    return connectHybrid(endpoint.path, endpoint.port, { clock, timeout })
  return connectNative(vsockAddress(endpoint.cid, endpoint.port), timeout)
}
