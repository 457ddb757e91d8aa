import { Duplex } from 'node:stream'
import type { Route } from './request.ts'
import type { Wire } from './wire.ts'

/** A wire as a stream, for what reads frames: vsock in memory. */
export function streamOf(open: (events: Wire['events']) => Wire): Duplex {
  let wire: Wire | undefined
  const stream = new Duplex({
    // Both directions end by themselves, as sockets do that allow half-open connections.
    allowHalfOpen: true,
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      wire?.write(chunk)
      done()
    },
    final(done) {
      wire?.end()
      done()
    },
    destroy(error, done) {
      wire?.destroy()
      done(error)
    },
  })
  wire = open({
    bytes: (bytes) => void stream.push(Buffer.from(bytes)),
    end: () => void stream.push(null),
    reset: () => stream.destroy(new Error('connection reset')),
  })
  return stream
}

/** @throws Error when the connection is refused */
export function connectStream({ caller, link, port }: Route): Duplex {
  return streamOf((events) => port.connect(caller, link, events))
}
