import { createConnection } from 'node:net'
import { CaseFailure } from '../case-failure.ts'
import type { ExchangeRecorder } from './exchange-recorder.ts'

/** Everything an enclave sent on one connection. */
export interface EnclaveReply {
  /** Payloads of the complete frames, in order. */
  payloads: Uint8Array[]
  /** Bytes after the last complete frame. */
  rest: Uint8Array
  /** Whether the enclave closed the connection; false when it stayed open. */
  closed: boolean
}

export interface EnclaveClient {
  readonly endpoint: string
  /**
   * Opens one connection, writes the bytes and reads until the enclave closes. Waits `within`
   * milliseconds for the first frame (default 5,000), and a moment for the end after it.
   *
   * @throws CaseFailure when nothing takes the connection
   */
  send(bytes: Uint8Array, options?: { port?: number; within?: number }): Promise<EnclaveReply>
}

/** How long an enclave may leave a connection open after its response, in milliseconds. */
const CLOSES_WITHIN = 2_000
const ANSWERS_WITHIN = 5_000
const HEX_SHOWN = 2_000

/** Speaks frames to an enclave at `unix:PATH:PORT` (hybrid vsock) and records every exchange. */
export function createEnclaveClient(options: {
  endpoint: string
  recorder: ExchangeRecorder
  after: (delay: number, then: () => void) => { cancel(): void }
  signal: AbortSignal
}): EnclaveClient {
  const { endpoint, recorder, after, signal } = options
  const [, path, ownPort] = /^unix:(.+):(\d+)$/.exec(endpoint) ?? []
  if (!path) throw new RangeError(`${endpoint} is no endpoint: write unix:PATH:PORT`)
  return {
    endpoint,
    send(bytes, { port = Number(ownPort), within = ANSWERS_WITHIN } = {}) {
      const done = recorder.begin('vsock', `unix:${path}:${port}`, show(bytes))
      const socket = createConnection({ path, allowHalfOpen: true, signal })
      let received: Buffer = Buffer.alloc(0)
      let greeted = false
      return new Promise<EnclaveReply>((resolve, reject) => {
        let hasFrame = false
        let timer = after(within, () => settle(false))
        const settle = (closed: boolean) => {
          timer.cancel()
          socket.destroy()
          if (!greeted) return fail('no acknowledgement of the connection')
          done(show(received))
          resolve({ ...splitFrames(received), closed })
        }
        const fail = (actual: string) => {
          timer.cancel()
          done(null)
          reject(new CaseFailure({ at: 'vsock connection', expected: 'a connection', actual }))
        }
        socket.on('connect', () => socket.write(`CONNECT ${port}\n`))
        socket.on('error', (error) => (greeted ? settle(true) : fail(error.message)))
        socket.on('end', () => settle(true)).on('close', () => settle(true))
        socket.on('data', (chunk) => {
          received = Buffer.concat([received, chunk])
          const line = received.indexOf('\n')
          if (!greeted && line >= 0) {
            greeted = /^OK \d+$/.test(received.toString('latin1', 0, line))
            if (!greeted) return settle(true)
            received = received.subarray(line + 1)
            socket.write(bytes)
          }
          if (hasFrame || !greeted || splitFrames(received).payloads.length === 0) return
          hasFrame = true
          timer.cancel()
          timer = after(CLOSES_WITHIN, () => settle(false))
        })
      })
    },
  }
}

function splitFrames(bytes: Buffer): Pick<EnclaveReply, 'payloads' | 'rest'> {
  const payloads: Uint8Array[] = []
  let offset = 0
  while (offset + 4 <= bytes.length) {
    const end = offset + 4 + bytes.readUInt32BE(offset)
    if (end > bytes.length) break
    payloads.push(bytes.subarray(offset + 4, end))
    offset = end
  }
  return { payloads, rest: bytes.subarray(offset) }
}

function show(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, HEX_SHOWN)).toString('hex')
  return bytes.length > HEX_SHOWN ? `${text}… (${bytes.length} bytes)` : text
}
