import type { Duplex } from 'node:stream'
import type { Clock } from '#protocol/clock/clock'
import { VsockError } from './vsock-error.ts'

export interface ReadLineOptions {
  /** Bytes including the newline. */
  limit: number
  clock: Clock
  /** Milliseconds. */
  timeout: number
}

/**
 * The text up to a newline, byte by byte: what follows is payload and stays in the stream.
 * @throws VsockError ECONNRESET at an early end, EPROTO above the limit, ETIMEDOUT
 */
export function readLine(stream: Duplex, options: ReadLineOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    const settle = (error?: Error) => {
      timer.cancel()
      stream.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError)
      if (error) reject(error)
      else resolve(line)
    }
    const timer = options.clock.after(options.timeout, () =>
      settle(new VsockError('ETIMEDOUT', 'handshake timed out')),
    )
    const onEnd = () => settle(new VsockError('ECONNRESET', 'connection reset'))
    // Writing to a peer that is gone already: what AF_VSOCK reports as a reset.
    const onError = (error: NodeJS.ErrnoException) =>
      settle(
        error.code === 'EPIPE'
          ? new VsockError('ECONNRESET', 'connection reset', error)
          : new VsockError(error.code ?? 'EIO', error.message, error),
      )
    const onReadable = () => {
      for (let byte = stream.read(1); byte !== null; byte = stream.read(1)) {
        if (byte[0] === 0x0a) return settle()
        line += byte.toString('latin1')
        if (line.length >= options.limit)
          return settle(new VsockError('EPROTO', 'handshake line is too long'))
      }
    }
    stream.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', onError)
  })
}
