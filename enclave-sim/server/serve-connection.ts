import type { Duplex } from 'node:stream'
import { FrameTimeout, READ_TIMEOUT, readFrame, writeFrame } from '#enclave/wire/frame'
import { decodeRequest, type EnclaveRequest, encodeResponse } from '#enclave/wire/messages'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import type { Enclave } from './create-enclave.ts'
import type { EnclaveLog } from './enclave-log.ts'

export interface ServeConnectionOptions {
  enclave: Enclave
  clock: Clock
  log: EnclaveLog
  /** Largest request payload in bytes. @default FRAME_LIMIT */
  frameLimit?: number
}

/** How long a peer may take to close after its response, in milliseconds. */
const LINGER = 1_000

/**
 * One request, one response, then the connection closes (ENC-PROTO-03, ENC-PROTO-04). A frame that
 * cannot be read or decoded is logged and the connection dropped without an answer.
 */
export async function serveConnection(
  stream: Duplex,
  options: ServeConnectionOptions,
): Promise<void> {
  const { enclave, clock, log, frameLimit } = options
  stream.on('error', () => {})
  try {
    const payload = await readFrame(stream, frameLimit ? { clock, limit: frameLimit } : { clock })
    const request: EnclaveRequest = decodeRequest(payload)
    const response = encodeResponse(await enclave.handle(request))
    await withTimeout(clock, READ_TIMEOUT, writeFrame(stream, response), tooSlow)
    await closed(stream, clock)
  } catch (error) {
    log('dropped', { message: error instanceof Error ? error.message : String(error) })
  } finally {
    stream.destroy()
  }
}

const tooSlow = () => new FrameTimeout(READ_TIMEOUT)

/**
 * Ends the stream and swallows what the peer still sends: destroying a socket with unread bytes
 * resets it, and the peer may lose the response.
 */
function closed(stream: Duplex, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(LINGER, resolve)
    const done = () => {
      timer.cancel()
      resolve()
    }
    stream.once('close', done).once('end', done)
    stream.end()
    stream.resume()
    if (stream.readableEnded || stream.destroyed) done()
  })
}
