import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import { LargeBodies, type LargeBodiesOptions } from './large-bodies.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
const signal = new AbortController().signal
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

function large(options: Partial<LargeBodiesOptions> = {}): LargeBodies {
  const bodies = new LargeBodies({ clock: systemClock, ...options })
  cleanups.push(() => bodies.stop())
  return bodies
}

describe('LargeBodies', () => {
  test('given JSON and what is none, when they are parsed, then each is what it is', async () => {
    const bodies = large()
    const value = { list: [1, 'two', null, { ä: '€'.repeat(100_000) }] }
    expect(await bodies.parse(bytes(value), signal)).toEqual({ value })
    expect(await bodies.parse(new TextEncoder().encode('{"a":'), signal)).toBe(undefined)
    // A part of other memory, which stays.
    const shared = new TextEncoder().encode('[1][2]')
    expect(await bodies.parse(shared.subarray(3), signal)).toEqual({ value: [2] })
    expect(shared).toHaveLength(6)
  })

  test.each([
    ['too many values', new Array(32_768).fill(0), /more than 32768 values and names/],
    ['lists too deep', JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`), /more than 64 deep/],
  ])('given %s, then they are refused in words', async (_what, value, data) => {
    await expect(large().parse(bytes(value), signal)).rejects.toMatchObject({
      rpcCode: -32007,
      data: expect.stringMatching(data),
    })
  })

  test.each([
    ['65,535 bytes of lists', 65_535, '[]', false],
    ['65,536 bytes of lists', 65_536, '[]', true],
    ['524,287 bytes of long strings', 524_287, `"${'x'.repeat(61)}"`, false],
    ['524,288 bytes of long strings', 524_288, `"${'x'.repeat(61)}"`, true],
    ['16,384 values', 16_384 * 5, '"xx"', false],
    ['16,385 values', 16_385 * 5, '"xx"', true],
  ])(
    'given %s, then whether they are large follows from bytes and values',
    (_what, length, item, isLarge) => {
      // The list itself is a value, and each item has its comma.
      const items = Math.floor(length / (item.length + 1)) - 1
      const body = `[${Array(items).fill(item).join()}]`.padEnd(length)
      expect(large().isLarge(new TextEncoder().encode(body))).toBe(isLarge)
    },
  )

  test('given more bytes than may wait, then they are refused, and there is room again later', async () => {
    const bodies = large({ maxBytes: 10 })
    const first = bodies.parse(bytes('eight'), signal)
    await expect(bodies.parse(bytes('four'), signal)).rejects.toMatchObject({ rpcCode: -32005 })
    expect(await first).toEqual({ value: 'eight' })
    expect(await bodies.parse(bytes('four'), signal)).toEqual({ value: 'four' })
  })

  test('given a body that takes too long, then it is given up, and the next one is parsed', async () => {
    const clock = new VirtualClock()
    const bodies = large({ clock, timeLimit: 10 })
    const late = bodies.parse(bytes('late'), signal)
    const refused = expect(late).rejects.toMatchObject({ rpcCode: -32016 })
    // It is begun in its turn, and its thread cannot have answered yet.
    await Promise.resolve()
    await Promise.resolve()
    await clock.advance(10)
    await refused
    expect(await bodies.parse(bytes('next'), signal)).toEqual({ value: 'next' })
  })

  test('given a caller that is gone, then nothing is parsed', async () => {
    const reason = new Error('gone')
    await expect(large().parse(bytes(1), AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})

test('given a server, when large bodies come over HTTP and WebSocket, then they are answered as small ones', async () => {
  const server = createJsonRpcServer({
    methods: { length: (params) => (params as [string])[0].length },
    clock: systemClock,
    webSocket: true,
  })
  cleanups.push(() => server.close())
  const port = await server.listen({ port: 0 })
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(socket, 'open')
  cleanups.push(() => socket.terminate())
  const send = async (body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    socket.send(body)
    const [message] = (await once(socket, 'message')) as [Buffer]
    const overHttp = (await answer.json()) as unknown
    expect(JSON.parse(message.toString())).toEqual(overHttp)
    expect(answer.status).toBe(200)
    return overHttp
  }
  const call = (id: number, params: unknown[]) => ({ jsonrpc: '2.0', id, method: 'length', params })
  const long = 'x'.repeat(1_000_000)
  expect(await send(JSON.stringify(call(1, [long])))).toMatchObject({ result: 1_000_000 })
  expect(await send(JSON.stringify([call(1, [long]), call(2, ['y'])]))).toMatchObject([
    { result: 1_000_000 },
    { result: 1 },
  ])
  expect(await send(`{${long}`)).toMatchObject({ error: { code: -32700 } })
  expect(await send(JSON.stringify(call(1, new Array(40_000).fill(0))))).toMatchObject({
    id: null,
    error: { code: -32007, message: 'Request is too big' },
  })
})
