import { Duplex, duplexPair } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { FRAME_LIMIT, readFrame, writeFrame } from './frame.ts'

const clock = new VirtualClock()

/** A stream that gives the chunks and then ends, and keeps what is written. */
function scripted(chunks: Uint8Array[], { end = true } = {}) {
  const written: Buffer[] = []
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(chunk)
      done()
    },
  })
  for (const chunk of chunks) stream.push(chunk)
  if (end) stream.push(null)
  return { stream, written }
}

const frameOf = (payload: Uint8Array) => {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(payload.length)
  return Buffer.concat([header, payload])
}

/** Splits bytes at the given relative places. */
function split(bytes: Buffer, places: number[]): Buffer[] {
  const offsets = places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b)
  return [0, ...offsets].map((from, i) => bytes.subarray(from, offsets[i] ?? bytes.length))
}

describe('writing', () => {
  test('given a payload, then the length counts it and no write is above 28 KiB (ENC-PROTO-05, LIM-07)', async () => {
    const payload = Buffer.alloc(28 * 1024 * 2 + 1, 7)
    const { stream, written } = scripted([])
    await writeFrame(stream, payload)
    expect(written.map((piece) => piece.length)).toEqual([4, 28 * 1024, 28 * 1024, 1])
    expect(Buffer.concat(written)).toEqual(frameOf(payload))
  })

  test('given a stream that breaks in the middle, then writing rejects', async () => {
    const [near, far] = duplexPair()
    const write = writeFrame(near, Buffer.alloc(1 << 20))
    far.on('readable', () => far.read())
    near.destroy(new Error('gone'))
    await expect(write).rejects.toThrow()
  })
})

describe('reading', () => {
  test('given a frame cut in any way, then it comes back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        async (payload, places) => {
          const chunks = split(frameOf(payload), places).filter((chunk) => chunk.length)
          const { stream } = scripted(chunks)
          expect(await readFrame(stream, { clock })).toEqual(Buffer.from(payload))
        },
      ),
    )
  })

  test('given a frame larger than every buffer, then it comes back', async () => {
    const payload = Buffer.alloc(3_000_001, 9)
    const [near, far] = duplexPair()
    const [, received] = await Promise.all([writeFrame(near, payload), readFrame(far, { clock })])
    expect(received.equals(payload)).toBe(true)
  })

  test('given bytes after the frame, then they stay in the stream', async () => {
    const { stream } = scripted([Buffer.concat([frameOf(Buffer.of(1)), frameOf(Buffer.of(2, 2))])])
    expect(await readFrame(stream, { clock })).toEqual(Buffer.of(1))
    expect(await readFrame(stream, { clock })).toEqual(Buffer.of(2, 2))
  })

  test('given an end before the last byte, wherever it comes, then it is an error', async () => {
    const frame = frameOf(Buffer.alloc(10))
    for (let length = 0; length < frame.length; length++) {
      const { stream } = scripted(length ? [frame.subarray(0, length)] : [])
      await expect(readFrame(stream, { clock })).rejects.toMatchObject({ code: 'FRAME_TRUNCATED' })
    }
  })

  test('given a stream that was closed before, then it is an error', async () => {
    const { stream } = scripted([])
    stream.destroy()
    await expect(readFrame(stream, { clock })).rejects.toMatchObject({ code: 'FRAME_TRUNCATED' })
  })

  test('given a length above the cap, then it is refused before its bytes come; one below allocates nothing', async () => {
    const over = scripted([Buffer.of(0x20, 0, 0, 1)], { end: false }).stream
    await expect(readFrame(over, { clock })).rejects.toMatchObject({ code: 'FRAME_TOO_LARGE' })

    const before = process.memoryUsage().arrayBuffers
    const under = scripted([Buffer.of(0x20, 0, 0, 0)], { end: false }).stream
    const read = readFrame(under, { clock })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(FRAME_LIMIT / 100)
    under.destroy()
    await expect(read).rejects.toMatchObject({ code: 'FRAME_TRUNCATED' })
  })

  test('given a slow sender, then it has 300 s for the whole frame: alive at 299 s, refused at 300 s (LIM-06)', async () => {
    const time = new VirtualClock()
    const { stream } = scripted([Buffer.of(0, 0, 0, 9)], { end: false })
    let outcome = 'reading'
    const read = readFrame(stream, { clock: time }).catch((error) => {
      outcome = error.code
    })
    for (let second = 0; second < 299; second += 100) {
      await time.advance(Math.min(100, 299 - second) * 1000)
      if (second === 0) stream.push(Buffer.of(1))
    }
    expect(outcome).toBe('reading')
    await time.advance(1000)
    await read
    expect(outcome).toBe('FRAME_TIMEOUT')
  })

  test('given a frame that was read, then no timer and no listener is left behind', async () => {
    const time = new VirtualClock()
    const { stream } = scripted([frameOf(Buffer.of(1))])
    await readFrame(stream, { clock: time })
    expect(time.nextAlarm()).toBeUndefined()
    expect(['readable', 'end', 'close', 'error'].map((name) => stream.listenerCount(name))).toEqual(
      [0, 0, 0, 0],
    )
  })
})
