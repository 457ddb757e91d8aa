import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import type { JsonRpcServer, JsonRpcServerOptions } from './json-rpc-server.ts'

/** One caller asks for all there is; the others and the node's own work go on. */

const servers: JsonRpcServer[] = []
const open: (Socket | WebSocket)[] = []
afterEach(async () => {
  for (const socket of open.splice(0))
    socket instanceof WebSocket ? socket.terminate() : socket.destroy()
  for (const server of servers.splice(0)) await server.close()
})

/** A server whose time passes only where a method takes some. */
async function scene(options: Partial<JsonRpcServerOptions> = {}) {
  const world = {
    now: 0,
    begun: 0,
    atLight: -1,
    onFirst: () => {},
    aborted: Promise.withResolvers<void>(),
  }
  const clock: Clock = { now: () => world.now, after: systemClock.after.bind(systemClock) }
  const server = createJsonRpcServer({
    methods: {
      heavy: (_params, { signal }) => {
        world.now += 8
        world.begun += 1
        if (world.begun === 1) {
          signal.addEventListener('abort', () => world.aborted.resolve())
          world.onFirst()
        }
        return world.begun
      },
      endless: (_params, { signal }) => {
        world.begun += 1
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
      light: () => {
        world.atLight = world.begun
        return 'light'
      },
      large: () => {
        world.begun += 1
        return 'x'.repeat(1_000_000)
      },
    },
    clock,
    webSocket: true,
    ...options,
  })
  servers.push(server)
  const port = await server.listen({ port: 0 })
  return { world, port, url: `http://127.0.0.1:${port}` }
}

const batch = (method: string, count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method })))
const post = (url: string, body: string, signal: AbortSignal | null = null) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
const light = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'light' })

/** The most time that passed between two looks at the event loop, until `done`. */
async function longestPause(world: { now: number }, done: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = world.now
  let isDone = false
  const finished = done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    longest = Math.max(longest, world.now - last)
    last = world.now
  }
  await finished
  return longest
}

test('given a long batch, then timers and sockets have their turn after a slice and one call', async () => {
  const { world, url } = await scene()
  const answered = post(url, batch('heavy', 1000)).then((reply) => reply.json())
  expect(await longestPause(world, answered)).toBeLessThanOrEqual(18)
  const replies = (await answered) as { id: number; result: number }[]
  expect(replies.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, id) => id))
  expect(world.begun).toBe(1000)
})

test('given a hundred connections with heavy calls, then they share the turns: no pause is longer for it', async () => {
  const { world, url } = await scene()
  const one = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'heavy' })
  const answers = Promise.all(
    Array.from({ length: 100 }, () => post(url, one).then((reply) => reply.json())),
  )
  expect(await longestPause(world, answers)).toBeLessThanOrEqual(26)
  expect(world.begun).toBe(100)
})

test('given a long batch, when another calls in its middle, then that call is answered there', async () => {
  const { world, url } = await scene()
  const other = Promise.withResolvers<unknown>()
  world.onFirst = () => other.resolve(post(url, light).then((reply) => reply.json()))
  const answered = post(url, batch('heavy', 1000)).then((reply) => reply.json())
  expect(await other.promise).toMatchObject({ result: 'light' })
  expect(world.atLight).toBeLessThan(1000)
  await answered
})

test('given a batch, when its caller leaves, then it is not gone on with', async () => {
  const { world, url } = await scene()
  const caller = new AbortController()
  world.onFirst = () => caller.abort()
  await post(url, batch('heavy', 1000), caller.signal).catch(() => {})
  await world.aborted.promise
  const { begun } = world
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(world.begun).toBe(begun)
  expect(begun).toBeLessThan(1000)
})

test('given a batch of calls that do not end, then only some of them are begun at once', async () => {
  const { world, port } = await scene()
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  open.push(socket)
  await once(socket, 'open')
  socket.send(batch('endless', 1000))
  socket.send(light)
  const [reply] = await once(socket, 'message')
  expect(JSON.parse(String(reply))).toMatchObject({ result: 'light' })
  expect(world.begun).toBe(16)
})

test('given a batch longer than the time that batches have, then members not begun by then are answered -32016', async () => {
  const { world, url } = await scene({ maxBatchTime: 80 })
  const replies = (await (await post(url, batch('heavy', 100))).json()) as {
    error?: { code: number }
  }[]
  expect(replies).toHaveLength(100)
  expect(world.begun).toBe(11)
  expect(replies.filter(({ error }) => error?.code === -32016)).toHaveLength(89)
})

test('given a late batch with something in it that is no call, then that is refused, too', async () => {
  const { url } = await scene({ maxBatchTime: 80 })
  const body = `${batch('heavy', 100).slice(0, -1)},null,5,[]]`
  const replies = (await (await post(url, body)).json()) as unknown[]
  expect(replies.slice(100)).toMatchObject(Array(3).fill({ id: null, error: { code: -32600 } }))
})

test('given a batch that gets too long, then it is given up as soon as it is, not when it is whole', async () => {
  const { world, url } = await scene({ maxBatchResponse: 3_000_000 })
  expect(await (await post(url, batch('large', 1000))).json()).toMatchObject({
    error: { code: -32008 },
  })
  expect(world.begun).toBe(3)
})

describe('answers that nobody reads', () => {
  const request = (body: string) =>
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

  test.each([
    ['the fast lane', ''],
    ['node:http', 'origin: http://localhost\r\n'],
  ])(
    'given callers over %s, then the greediest is cut off, the others are served',
    async (_lane, header) => {
      const { port, url } = await scene({ maxUnsentInAll: 30_000_000 })
      const closed: Promise<unknown>[] = []
      for (let caller = 0; caller < 4; caller++) {
        const socket = connect(port, '127.0.0.1').pause()
        open.push(socket)
        socket.on('error', () => {})
        closed.push(once(socket, 'close'))
        socket.write(request(batch('large', 20)).replace('\r\n', `\r\n${header}`))
        // A paused socket does not hear of its end before it is read.
        socket.once('readable', () => {})
      }
      const replies = await Promise.all(
        Array.from({ length: 10 }, async () => (await post(url, light)).json()),
      )
      expect(replies).toHaveLength(10)
      for (const socket of open) socket.resume()
      await Promise.race(closed)
    },
  )
})
