import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import type { JsonRpcServerOptions, RpcConnection } from './json-rpc-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function connect(options: Partial<JsonRpcServerOptions>): Promise<WebSocket> {
  const server = createJsonRpcServer({
    methods: {},
    clock: systemClock,
    webSocket: true,
    ...options,
  })
  const port = await server.listen({ port: 0 })
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  cleanups.push(
    () => server.close(),
    () => socket.terminate(),
  )
  await new Promise((resolve) => socket.once('open', resolve))
  return socket
}

const next = (socket: WebSocket) =>
  new Promise<unknown>((resolve) =>
    socket.once('message', (data) => resolve(JSON.parse(data.toString()))),
  )

test('given calls, batches and malformed messages, then they are answered as over HTTP', async () => {
  const socket = await connect({ methods: { echo: (params) => params } })
  socket.send('{"jsonrpc":"2.0","id":"x","method":"echo","params":[1]}')
  expect(await next(socket)).toStrictEqual({ jsonrpc: '2.0', id: 'x', result: [1] })
  socket.send('[{"jsonrpc":"2.0","id":1,"method":"echo"}]')
  expect(await next(socket)).toStrictEqual([{ jsonrpc: '2.0', id: 1, result: null }])
  socket.send('nonsense')
  expect(await next(socket)).toMatchObject({ id: null, error: { code: -32700 } })
})

test('given a subscription method that notifies in the same tick, then its answer comes first', async () => {
  const subscribe = (_params: unknown, { connection }: { connection?: RpcConnection }) => {
    queueMicrotask(() => connection?.notify('eth_subscription', { subscription: '0x1', result: 1 }))
    return '0x1'
  }
  const socket = await connect({ methods: { subscribe } })
  const messages: unknown[] = []
  const two = new Promise<void>((resolve) =>
    socket.on('message', (data) => {
      messages.push(JSON.parse(data.toString()))
      if (messages.length === 2) resolve()
    }),
  )
  socket.send('{"jsonrpc":"2.0","id":1,"method":"subscribe"}')
  await two
  expect(messages).toStrictEqual([
    { jsonrpc: '2.0', id: 1, result: '0x1' },
    { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', result: 1 } },
  ])
})

test('given a subscriber that does not read, then it is closed with a reason', async () => {
  const piece = 'x'.repeat(1024 * 1024)
  let sent = 0
  const gone = Promise.withResolvers<void>()
  const flood = (_params: unknown, { connection }: { connection?: RpcConnection }) => {
    connection?.onClose(() => gone.resolve())
    for (; sent < 64; sent++) connection?.notify('piece', piece)
    return 'flooded'
  }
  const socket = await connect({ methods: { flood }, maxUnsentBytes: 4 * 1024 * 1024 })
  const end = closed(socket)
  let received = 0
  socket.on('message', () => received++)
  socket.send('{"jsonrpc":"2.0","id":1,"method":"flood"}')
  const [code, reason] = await end
  expect(code).toBe(1013)
  expect(reason).toMatch(/^Too slow: \d+ bytes are waiting\.$/)
  expect(received).toBeLessThan(64)
  await gone.promise
})

test('given a message over the limit, then the socket is closed with 1009', async () => {
  const socket = await connect({ maxBodyBytes: 10 })
  const end = closed(socket)
  socket.send(' '.repeat(11))
  expect(await end).toEqual([1009, 'A message on a WebSocket may have 10 bytes.'])
})

test('given a message as long as a body may be, then the socket is closed in words, which it reads when it has sent all', async () => {
  const socket = await connect({})
  const end = closed(socket)
  socket.send(' '.repeat(15 * 1024 * 1024))
  expect(await end).toEqual([1009, 'A message on a WebSocket may have 4194304 bytes.'])
})

test.each([
  ['refused', '/', 'evil.example'],
  ['to nowhere', '/nowhere', 'localhost'],
])(
  'given a peer whose upgrade is %s and that keeps its half open, when the server closes, then it does not wait for it',
  async (_, path, host) => {
    const server = createJsonRpcServer({ methods: {}, clock: new VirtualClock(), webSocket: true })
    const port = await server.listen({ port: 0 })
    const peer = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true })
    cleanups.push(() => peer.destroy())
    const head = [`Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket']
    peer.resume().write([`GET ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'))
    await once(peer, 'end')
    await server.close()
  },
)

const closed = (socket: WebSocket) =>
  new Promise<[number, string]>((resolve) =>
    socket.once('close', (code, reason) => resolve([code, reason.toString()])),
  )
