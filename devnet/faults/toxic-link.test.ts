import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { faultsOn } from './fault-catalogue.ts'
import { ToxicLink } from './toxic-link.ts'

const start = 1_700_000_000_000

/** A link with one connection; what arrives is noted with the time at which it did. */
function scene(seed = 1) {
  const clock = new VirtualClock(start)
  const link = new ToxicLink({ clock, rng: seededRng(seed) })
  const arrived: string[] = []
  const note = (text: string) => arrived.push(`${clock.now() - start} ${text}`)
  const sink = (side: string) => ({
    write: (bytes: Uint8Array) => note(`${side} ${Buffer.from(bytes).toString('latin1')}`),
    end: () => note(`${side} end`),
  })
  const crowded: boolean[] = []
  const open = () =>
    link.connect({
      toServer: sink('server'),
      toClient: sink('client'),
      reset: () => note('reset'),
      onCrowded: (_, isCrowded) => crowded.push(isCrowded),
    })
  const connection = open()!
  const send = (text: string) => connection.upstream.write(Buffer.from(text, 'latin1'))
  const answer = (text: string) => connection.downstream.write(Buffer.from(text, 'latin1'))
  return { clock, link, arrived, crowded, open, connection, send, answer }
}

describe('a link', () => {
  test('given no fault, then all passes at once, and the end after it', () => {
    const { send, answer, connection, arrived } = scene()
    send('a')
    answer('b')
    connection.upstream.end()
    send('never')
    expect(arrived).toEqual(['0 server a', '0 client b', '0 server end'])
  })

  test('given latency on one direction, then that direction is late and in order, the other is not', async () => {
    const { clock, link, send, answer, arrived, connection } = scene()
    link.add('latency', { latency: 100, jitter: 90, direction: 'upstream' })
    for (const letter of 'abcdefgh') send(letter)
    connection.upstream.end()
    answer('x')
    await clock.advance(200)
    expect(arrived[0]).toBe('0 client x')
    expect(arrived.slice(1).map((line) => line.split(' server ')[1])).toEqual([
      ...'abcdefgh',
      'end',
    ])
    for (const line of arrived.slice(1))
      expect(Number.parseInt(line, 10)).toBeGreaterThanOrEqual(10)
  })

  test('given latency that is cleared, then what was on its way comes in time and nothing overtakes it', async () => {
    const { clock, link, send, arrived } = scene()
    const clear = link.add('latency', { latency: 100 })
    send('late')
    clear()
    send('next')
    await clock.advance(100)
    expect(arrived).toEqual(['100 server late', '100 server next'])
  })

  test('given 1 kB/s, then 500 bytes take half a second, and the next 500 a whole', async () => {
    const { clock, link, send, arrived } = scene()
    link.add('bandwidth', { rate: 1 })
    send('a'.repeat(500))
    send('b'.repeat(500))
    await clock.advance(2_000)
    expect(arrived.map((line) => line.slice(0, 12))).toEqual(['500 server a', '1000 server '])
  })

  test('given a slow line, when it is over, then what waits arrives at once, in order', async () => {
    const { clock, link, send, arrived } = scene()
    const clear = link.add('bandwidth', { rate: 1 })
    send('a'.repeat(3_000))
    send('b')
    await clock.advance(1_000)
    expect(arrived).toEqual([])
    clear()
    send('c')
    expect(arrived.map((line) => line.slice(0, 13))).toEqual([
      '1000 server a',
      '1000 server b',
      '1000 server c',
    ])
  })

  test('given a slow line with latency, when one of the two is over, then the other still holds what waits', async () => {
    const { clock, link, send, arrived } = scene()
    const clear = link.add('bandwidth', { rate: 1 })
    link.add('latency', { latency: 2_000 })
    send('a')
    clear()
    expect(arrived).toEqual([])
    await clock.advance(2_001)
    expect(arrived).toEqual(['2001 server a'])
  })

  test('given a slicer, then the same bytes come in pieces', async () => {
    const { clock, link, send, arrived } = scene()
    link.add('slicer', { average_size: 4, size_variation: 2, delay: 10 })
    send('abcdefghijklmnopqrstuvwxyz')
    await clock.advance(1_000)
    const pieces = arrived.map((line) => line.split(' server ')[1]!)
    expect(pieces.join('')).toBe('abcdefghijklmnopqrstuvwxyz')
    expect(pieces.length).toBeGreaterThan(4)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(6)
    expect(arrived.map((line) => Number.parseInt(line, 10))).toEqual(pieces.map((_, at) => at * 10))
  })

  test('given a limit of 5 bytes, then a message is cut in its middle and the connection ends', async () => {
    const { clock, link, send, arrived } = scene()
    link.add('limit_data', { bytes: 5, direction: 'upstream' })
    send('abc')
    send('defg')
    send('h')
    await clock.advance(1)
    expect(arrived).toEqual(['0 server abc', '0 server de', '0 server end'])
  })

  test('given a timeout, then nothing passes and the connection ends', async () => {
    const { clock, link, send, answer, arrived } = scene()
    link.add('timeout', { timeout: 300 })
    send('a')
    answer('b')
    await clock.advance(1_000)
    expect(arrived).toEqual(['300 server end', '300 client end'])
  })

  test('given a peer that resets, then both sides hear of it once', async () => {
    const { clock, link, send, arrived } = scene()
    link.add('reset_peer', { timeout: 50 })
    send('a')
    await clock.advance(1_000)
    send('b')
    expect(arrived).toEqual(['0 server a', '50 reset'])
  })

  test('given half of it gone, then nothing arrives and nobody is told, until it is over', async () => {
    const { clock, link, send, arrived } = scene()
    const clear = link.add('half_open')
    send('a')
    await clock.advance(3_600_000)
    expect(arrived).toEqual([])
    clear()
    expect(arrived).toEqual(['3600000 reset'])
  })

  test('given half of it gone while nothing was sent, when it is over, then the connection goes on', () => {
    const { link, send, arrived } = scene()
    link.add('half_open')()
    send('a')
    expect(arrived).toEqual(['0 server a'])
  })

  test('given it is down, then connections are reset and refused, and taken again later', () => {
    const { link, open, arrived } = scene()
    const clear = link.add('down')
    expect(arrived).toEqual(['0 reset'])
    expect(open()).toBeUndefined()
    clear()
    expect(open()).toBeDefined()
  })

  test('given a late close, then only the end is late', async () => {
    const { clock, link, send, connection, arrived } = scene()
    link.add('slow_close', { delay: 700 })
    send('a')
    connection.upstream.end()
    await clock.advance(1_000)
    expect(arrived).toEqual(['0 server a', '700 server end'])
  })

  test('given corruption, then exactly one bit of each chunk is turned over', () => {
    const { link, send, arrived } = scene()
    link.add('corrupt', { share: 1 })
    const sent = 'the quick brown fox'
    send(sent)
    const got = Buffer.from(arrived[0]!.split(' server ')[1]!, 'latin1')
    const turned = [...Buffer.from(sent, 'latin1')].map((byte, at) => byte ^ got[at]!)
    expect(turned.filter(Boolean)).toHaveLength(1)
    expect(Math.log2(turned.find(Boolean)!) % 1).toBe(0)
  })

  test('given reordering, then all arrives, but not in order', async () => {
    const { clock, link, send, arrived, connection } = scene()
    link.add('reorder', { share: 0.5, delay: 10 })
    for (const letter of 'abcdefghijkl') send(letter)
    connection.upstream.end()
    await clock.advance(100)
    const got = arrived.map((line) => line.split(' server ')[1]!)
    expect(got.pop()).toBe('end')
    expect([...got].sort()).toEqual([...'abcdefghijkl'])
    expect(got).not.toEqual([...'abcdefghijkl'])
  })

  test('given duplication, then a chunk arrives twice', () => {
    const { link, send, arrived } = scene()
    link.add('duplicate', { share: 1 })
    send('a')
    expect(arrived).toEqual(['0 server a', '0 server a'])
  })

  test('given a toxicity of 0.5, then about half of the connections are befallen', () => {
    const { link, open, arrived } = scene()
    link.add('half_open', { toxicity: 0.5, direction: 'upstream' })
    for (let index = 0; index < 200; index++) open()!.upstream.write(Buffer.from('a'))
    expect(arrived.length).toBeGreaterThan(60)
    expect(arrived.length).toBeLessThan(140)
  })

  test('given more than a megabyte on its way, then the sender is held until it is gone', async () => {
    const { clock, link, connection, crowded } = scene()
    link.add('latency', { latency: 100 })
    connection.upstream.write(new Uint8Array(1_000_000))
    expect(crowded).toEqual([])
    connection.upstream.write(new Uint8Array(100_000))
    expect(crowded).toEqual([true])
    await clock.advance(100)
    expect(crowded).toEqual([true, false])
  })

  test('given a closed connection, then nothing is delivered any more and no timer is left', async () => {
    const { clock, link, send, connection, arrived } = scene()
    link.add('latency', { latency: 100 })
    link.add('timeout', { timeout: 500 })
    send('a')
    connection.close()
    await clock.advance(10_000)
    expect(arrived).toEqual([])
    expect(clock.nextAlarm()).toBeUndefined()
  })

  test.each(faultsOn('link'))(
    'given %s twice with one seed, then the same arrives at the same time',
    async (fault) => {
      const lines = await Promise.all(
        [7, 7].map(async (seed) => {
          const { clock, link, send, answer, connection, arrived } = scene(seed)
          link.add(fault)
          for (const word of ['one', 'two', 'three', 'four', 'five']) {
            send(word)
            answer(word)
            await clock.advance(10)
          }
          connection.upstream.end()
          await clock.advance(5_000)
          return arrived
        }),
      )
      expect(lines[0]).toEqual(lines[1])
    },
  )
})
