import { createConnection } from 'node:net'
import { CaseFailure } from '../case-failure.ts'
import { MOST_BYTES } from './ask.ts'
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
   * milliseconds for the first frame (default 120,000), and `closesWithin` for the end after it (2,000).
   * What stands after `cutAt` bytes follows as a second piece, some time after the first.
   *
   * @throws CaseFailure when nothing takes the connection
   */
  send(
    bytes: Uint8Array,
    options?: { port?: number; within?: number; closesWithin?: number; cutAt?: number },
  ): Promise<EnclaveReply>
}

/** How long an enclave may leave a connection open after its response, in milliseconds. */
const CLOSES_WITHIN = 2_000
/** What the end after an answer may take where it is judged: longer than a machine is busy; milliseconds. */
export const ENDS_WITHIN = 10_000
/** An enclave that proves for somebody else answers when it is done, which on a busy machine takes a minute. */
export const ANSWERS_WITHIN = 120_000
/** An enclave gives up on a connection that says nothing, as this side may where a machine is busy. */
const MOST_DIALS = 3
/** Between two pieces, so that they are read apart; milliseconds. */
const APART = 50
const HEX_SHOWN = 2_000
/** Bytes of the line that acknowledges a connection, at most: OK and a port. */
const LONGEST_GREETING = 100

/** What became of one connection. */
interface Dialled {
  received: Buffer
  closed: boolean
  /** Why no connection to the port came about; undefined when one did. */
  refused: string | undefined
  /** More came than is read. */
  isTooLong: boolean
  /** It was taken, and closed before the port was acknowledged. */
  dropped: boolean
}

/** Speaks frames to an enclave at `unix:PATH:PORT` (hybrid vsock) and records every exchange. */
export function createEnclaveClient(options: {
  endpoint: string
  recorder: ExchangeRecorder
  after: (delay: number, then: () => void) => { cancel(): void }
  signal: AbortSignal
  /** Bytes of an answer. Default: 256 MB. */
  most?: number
}): EnclaveClient {
  const { endpoint, recorder, after, signal, most = MOST_BYTES } = options
  const [, path, ownPort] = /^unix:(.+):(\d+)$/.exec(endpoint) ?? []
  if (!path) throw new RangeError(`${endpoint} is no endpoint: write unix:PATH:PORT`)
  return {
    endpoint,
    send(bytes, options = {}) {
      const reply = exchange(bytes, options)
      // Nobody awaits it where its case has ended before.
      reply.catch(() => {})
      return reply
    },
  }

  async function exchange(
    bytes: Uint8Array,
    options: Parameters<EnclaveClient['send']>[1] = {},
  ): Promise<EnclaveReply> {
    const { port = Number(ownPort), within = ANSWERS_WITHIN } = options
    const { closesWithin = CLOSES_WITHIN, cutAt = bytes.length } = options
    const done = recorder.begin('vsock', `unix:${path}:${port}`, show(bytes))
    for (let dials = 1; ; dials++) {
      const { received, closed, refused, dropped, isTooLong } = await dial(bytes, {
        ...{ path: path!, port, within, closesWithin, cutAt },
      })
      if (dropped && dials < MOST_DIALS) continue
      done(refused ? null : show(received))
      if (isTooLong)
        throw new CaseFailure({
          ...{ at: 'answer of the enclave', expected: `${most} bytes or fewer` },
          actual: `${received.length} bytes, and more to come`,
        })
      if (!refused) return { ...splitFrames(received), closed }
      throw new CaseFailure({
        at: 'vsock connection',
        expected: 'a connection',
        actual: refused,
      })
    }
  }

  function dial(
    bytes: Uint8Array,
    of: { path: string; port: number; within: number; closesWithin: number; cutAt: number },
  ): Promise<Dialled> {
    const { path, port, within, closesWithin, cutAt } = of
    const socket = createConnection({ path, allowHalfOpen: true })
    // Given to the connection itself, the signal would remember it, and be slower with each, to the end of the run.
    const abort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.on('close', () => signal.removeEventListener('abort', abort))
    if (signal.aborted) abort()
    let connected = false
    let greeted = false
    return new Promise((resolve) => {
      let hasFrame = false
      let chunks: Buffer[] = []
      let size = 0
      /** Bytes after which it is worth a look: what comes in small pieces is not put together with each. */
      let least = 0
      const whole = () => {
        const [only = Buffer.alloc(0), ...more] = chunks
        const all = more.length > 0 ? Buffer.concat(chunks) : only
        chunks = [all]
        return all
      }
      let timer = after(within, () => settle(false))
      const settle = (closed: boolean, reason = 'no acknowledgement of the connection') => {
        timer.cancel()
        socket.destroy()
        resolve({
          received: whole(),
          closed,
          isTooLong: size > most,
          refused: greeted ? undefined : reason,
          dropped: !greeted && connected && closed,
        })
      }
      socket.on('connect', () => {
        connected = true
        socket.write(`CONNECT ${port}\n`)
      })
      socket.on('error', (error) => settle(true, error.message))
      socket.on('end', () => settle(true)).on('close', () => settle(true))
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > most) return settle(false)
        if (size < least) return
        if (!greeted) {
          const line = whole().indexOf('\n')
          if (line < 0 && size <= LONGEST_GREETING) return
          greeted = /^OK \d+$/.test(whole().toString('latin1', 0, line))
          if (!greeted) return settle(true)
          chunks = [whole().subarray(line + 1)]
          size = chunks[0]!.length
          socket.write(bytes.subarray(0, cutAt))
          if (cutAt < bytes.length) after(APART, () => socket.write(bytes.subarray(cutAt)))
        }
        if (hasFrame) return
        least = size < 4 ? 4 : 4 + whole().readUInt32BE(0)
        if (size < least) return
        hasFrame = true
        timer.cancel()
        timer = after(closesWithin, () => settle(false))
      })
    })
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
