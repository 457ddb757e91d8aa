/**
 * One frame: payload length as u32 big endian, then the payload (ENC-PROTO-05, ENC-PROTO-06).
 * Works on any Duplex: AF_VSOCK, hybrid UNIX socket, in process.
 */
import type { Duplex } from 'node:stream'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** Largest piece of one write (LIM: vsock write chunk). */
const WRITE_CHUNK = 28 * 1024
/** Default cap on a payload (OPEN-61…65). */
export const FRAME_LIMIT = 512 * 1024 * 1024
/** How long reading one whole request may take, in milliseconds (LIM: vsock read timeout). */
export const READ_TIMEOUT = 5 * 60_000

const HEADER = 4
const FIRST_ALLOCATION = 64 * 1024

export interface ReadFrameOptions {
  clock: Clock
  /** Bytes of payload accepted. @default FRAME_LIMIT */
  limit?: number
  /** Milliseconds from now until the last byte; Infinity waits for ever. @default READ_TIMEOUT */
  timeout?: number
}

/**
 * Writes one frame in pieces of at most 28 KiB, each handed over before the next is written: a
 * socket would otherwise join them into one large write. Does not end the stream.
 * @throws whatever the stream fails with
 */
export async function writeFrame(stream: Duplex, payload: Uint8Array): Promise<void> {
  const header = Buffer.allocUnsafe(HEADER)
  header.writeUInt32BE(payload.length)
  // A failed write reports through its callback; the event must not be uncaught as well.
  const ignore = () => {}
  stream.on('error', ignore)
  await writePiece(stream, header)
  for (let offset = 0; offset < payload.length; offset += WRITE_CHUNK)
    await writePiece(stream, payload.subarray(offset, offset + WRITE_CHUNK))
  stream.off('error', ignore)
}

function writePiece(stream: Duplex, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Reads one frame and leaves what follows it in the stream. Memory grows with the bytes that
 * arrived, never with the announced length.
 * @throws FrameTooLarge, FrameTruncated, FrameTimeout, or whatever the stream fails with
 */
export function readFrame(stream: Duplex, options: ReadFrameOptions): Promise<Buffer> {
  const { clock, limit = FRAME_LIMIT, timeout = READ_TIMEOUT } = options
  return new Promise((resolve, reject) => {
    let buffer: Buffer = Buffer.allocUnsafe(FIRST_ALLOCATION)
    let filled = 0
    let total = -1

    const settle = (error: Error | undefined) => {
      timer?.cancel()
      stream.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', settle)
      if (error) reject(error)
      else resolve(buffer.subarray(HEADER, total))
    }
    const timer = Number.isFinite(timeout)
      ? clock.after(timeout, () => settle(new FrameTimeout(timeout)))
      : undefined
    const onEnd = () => settle(new FrameTruncated(filled))
    const onReadable = () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        const missing = (total < 0 ? HEADER : total) - filled
        const taken = chunk.subarray(0, missing)
        if (taken.length < chunk.length) stream.unshift(chunk.subarray(missing))
        buffer = withRoom(buffer, filled, filled + taken.length, total)
        buffer.set(taken, filled)
        filled += taken.length
        if (total < 0 && filled === HEADER) {
          const length = buffer.readUInt32BE()
          if (length > limit) return settle(new FrameTooLarge(length, limit))
          total = HEADER + length
        }
        if (filled === total) return settle(undefined)
      }
    }
    stream.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', settle)
    if (stream.readableEnded || stream.destroyed) onEnd()
    else onReadable()
  })
}

/** Doubles the room until `needed` bytes fit, up to the whole frame. */
function withRoom(buffer: Buffer, filled: number, needed: number, total: number): Buffer {
  if (needed <= buffer.length) return buffer
  let size = buffer.length
  while (size < needed) size *= 2
  const larger = Buffer.allocUnsafe(Math.min(size, total))
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** The announced length is above the cap. */
export class FrameTooLarge extends RollbedError {
  constructor(length: number, limit: number) {
    super('FRAME_TOO_LARGE', `frame of ${length} bytes is above the limit of ${limit}`, {
      hint: 'Prove a shorter range, or raise the frame limit on both ends.',
    })
  }
}

/** The peer closed before the frame was complete. */
export class FrameTruncated extends RollbedError {
  constructor(received: number) {
    super('FRAME_TRUNCATED', `connection closed after ${received} bytes of a frame`)
  }
}

/** The frame was not complete in time. */
export class FrameTimeout extends RollbedError {
  constructor(timeout: number) {
    super('FRAME_TIMEOUT', `frame not complete after ${timeout / 1000} s`)
  }
}
