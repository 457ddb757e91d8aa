import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { L1Record } from './archive/l1-record.ts'
import { type ServeL1Options, serveL1 } from './serve-l1.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What stands where anvil does, and L1 before it. */
async function serveBefore(anvil: Server, options: Omit<ServeL1Options, 'clock'> = {}) {
  const folder = makeRunFolder()
  const socket = join(folder, 'anvil.sock')
  const open = new Set<Socket>()
  anvil.on('connection', (each) => open.add(each))
  anvil.listen(socket)
  await new Promise((resolve) => anvil.once('listening', resolve))
  stops.push(() => {
    for (const each of open) each.destroy()
    anvil.close()
    rmSync(folder, { recursive: true })
  })
  const l1 = await serveL1(socket, { clock: new VirtualClock(), ...options })
  stops.push(() => l1.stop())
  return l1
}

const l1Before = async (...args: Parameters<typeof serveBefore>) => (await serveBefore(...args)).url

/** Takes everything and says nothing. */
function silentAnvil() {
  let heard = 0
  let hears = () => {}
  const anvil = createServer((socket) => {
    socket.on('data', () => {
      heard += 1
      hears()
    })
  })
  const hearsMessages = async (count: number) => {
    while (heard < count) await new Promise<void>((resolve) => (hears = resolve))
  }
  return { anvil, hearsMessages }
}

/** Answers each message with what anvil would have been sent, in pieces of some bytes. */
function echo(pieces: number): Server {
  return createServer((socket) => {
    socket.on('data', (message) => {
      const { id } = JSON.parse(message.toString())
      const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: `${message}` })}\n`)
      for (let at = 0; at < line.length; at += pieces) socket.write(line.subarray(at, at + pieces))
    })
  })
}

const headers = { 'content-type': 'application/json' }
const post = (url: string, body: string) => fetch(url, { method: 'POST', body, headers })

async function callAt(url: string, id: number, method = 'eth_gasPrice') {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: [] })
  const answer = await post(url, body)
  return { status: answer.status, json: (await answer.json()) as { id: unknown } }
}

test('given a body and a message of very many values, then they are refused in words, over HTTP and WebSocket', async () => {
  const url = await l1Before(echo(7))
  const body = `[{}${',{}'.repeat(40_000)}]`
  const refusal = { code: -32007, data: expect.stringMatching(/more than 32768 values and names/) }
  const answer = await post(url, body)
  expect(await answer.json()).toMatchObject({ id: null, error: refusal })
  const socket = new WebSocket(url.replace('http', 'ws'))
  stops.push(() => socket.terminate())
  await once(socket, 'open')
  socket.send(body)
  const [message] = await once(socket, 'message')
  expect(JSON.parse(String(message))).toMatchObject({ id: null, error: refusal })
  const long = await post(url, ' '.repeat(4 * 1024 * 1024 + 1))
  expect([long.status, await long.text()]).toEqual([413, 'The limit is 4194304 bytes.\n'])
  socket.send(' '.repeat(4 * 1024 * 1024 + 1))
  const [code, reason] = await once(socket, 'close')
  expect([code, String(reason)]).toEqual([1009, 'A message on a WebSocket may have 4194304 bytes.'])
})

test('given many callers at once, and answers that come in pieces, then each has its own', async () => {
  const url = await l1Before(echo(7))
  const answers = await Promise.all(Array.from({ length: 40 }, (_, id) => callAt(url, id)))
  expect(answers.map(({ json }) => json.id)).toEqual(Array.from({ length: 40 }, (_, id) => id))
})

test('given what is no message, or asks for no answer, then nothing of it reaches anvil that would confuse it', async () => {
  const url = await l1Before(echo(1000))
  const invalid = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'Invalid request' },
  }
  for (const body of ['{"open":', 'null', '5', '"{"', '', '[]', '[1]', '{"a":1}', '}{', '{}{}'])
    expect([body, await (await post(url, body)).json()]).toEqual([body, invalid])
  // As anvil over HTTP, where nobody could hear of events.
  const subscribe = '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'
  expect(await (await post(url, subscribe)).json()).toMatchObject({
    id: 1,
    error: { code: -32601 },
  })
  const notification = '{"jsonrpc":"2.0","method":"eth_gasPrice"}'
  expect((await post(url, notification)).status).toBe(204)
  expect((await post(url, `[${notification}]`)).status).toBe(204)
  expect(await callAt(url, 9)).toMatchObject({ json: { id: 9 } })
  // A space before the first bracket would hide the last from anvil.
  const spaced = (await (
    await post(url, `   \n{"id":"}{","jsonrpc":"2.0","method":"x"} \n`)
  ).json()) as { result: string }
  expect(spaced.result).toBe('{"id":"}{","jsonrpc":"2.0","method":"x"}')
})

test('given a WebSocket, then answers and events come in the order of their lines', async () => {
  const lines = '{"id":1}\n{"event":1}\n{"event":2}\n'
  const url = await l1Before(
    createServer((socket) => void socket.on('data', () => socket.write(lines))),
  )
  const socket = new WebSocket(url.replace('http', 'ws'))
  stops.push(() => socket.terminate())
  const heard: string[] = []
  const all = new Promise<void>((resolve) => {
    socket.on('message', (data, isBinary) => {
      heard.push(`${data}${isBinary}`)
      if (heard.length === 3) resolve()
    })
  })
  socket.on('open', () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe"}'))
  await all
  expect(heard).toEqual(['{"id":1}false', '{"event":1}false', '{"event":2}false'])
})

test('given an anvil that hangs up on everyone, then the error says what happened, and viem does not blame parameters', async () => {
  const url = await l1Before(createServer((socket) => void socket.destroy()))
  expect(await callAt(url, 1)).toMatchObject({
    status: 503,
    json: {
      ...{ jsonrpc: '2.0', id: null },
      error: { code: -32603, message: expect.stringMatching(/^L1 does not answer: No JSON-RPC/) },
    },
  })
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  await expect(client.getGasPrice()).rejects.toThrow(/L1 does not answer/)
  await expect(client.getGasPrice()).rejects.not.toThrow(/parameters/)
})

test('given an anvil that is gone, then the error says that it has ended', async () => {
  const folder = makeRunFolder()
  stops.push(() => rmSync(folder, { recursive: true }))
  const l1 = await serveL1(join(folder, 'anvil.sock'), { clock: new VirtualClock() })
  stops.push(() => l1.stop())
  expect(await callAt(l1.url, 1)).toMatchObject({
    json: { error: { message: 'L1 does not answer: anvil has ended.' } },
  })
})

test('given an anvil that takes everything and says nothing, then each caller hears within the limit which part it is', async () => {
  const clock = new VirtualClock()
  const { anvil, hearsMessages } = silentAnvil()
  const url = await l1Before(anvil, { machine: clock, silenceLimit: 7_000 })
  const error = { code: -32603, message: 'L1 does not answer: anvil has said nothing for 7 s.' }
  const silent = { status: 503, json: { jsonrpc: '2.0', id: null, error } }
  const socket = new WebSocket(url.replace('http', 'ws'))
  stops.push(() => socket.terminate())
  await once(socket, 'open')
  const answers = [
    callAt(url, 1),
    callAt(url, 2, 'evm_mine'),
    callAt(url, 4, 'eth_getBlockByNumber'),
  ]
  socket.send('{"jsonrpc":"2.0","id":5,"method":"eth_subscribe","params":["newHeads"]}')
  const notified = once(socket, 'message')
  await hearsMessages(4)
  await clock.advance(6_999)
  expect(await Promise.race([...answers, notified, Promise.resolve('nobody yet')])).toBe(
    'nobody yet',
  )
  await clock.advance(1)
  expect(await Promise.all(answers)).toEqual(answers.map(() => silent))
  const [message] = (await notified) as [Buffer]
  expect(JSON.parse(message.toString())).toEqual({ jsonrpc: '2.0', id: 5, error })
})

test('given a recorded L1 that makes a block, when anvil falls silent, then who sent what is no JSON hears of it, and L1 goes on', async () => {
  const clock = new VirtualClock()
  const folder = makeRunFolder()
  const kept = new KeptDatabase(join(folder, 'l1.sqlite'))
  stops.push(() => {
    kept.close()
    rmSync(folder, { recursive: true })
  })
  const { anvil, hearsMessages } = silentAnvil()
  const record = new L1Record(kept, () => clock)
  const l1 = await serveBefore(anvil, { machine: clock, record })
  void l1.archiveAfter(() => new Promise(() => {}))
  const socket = new WebSocket(l1.url.replace('http', 'ws'))
  stops.push(() => socket.terminate())
  await once(socket, 'open')
  const first = once(socket, 'message')
  socket.send('hello')
  socket.send('{"jsonrpc":"2.0","id":5,"method":"eth_gasPrice"}')
  await hearsMessages(1)
  await clock.advance(20_000)
  const [message] = (await first) as [Buffer]
  expect(JSON.parse(message.toString())).toMatchObject({ id: null, error: { code: -32603 } })
})

test('given a peer whose WebSocket is refused and that keeps its half open, when L1 stops, then it does not wait for it', async () => {
  const folder = makeRunFolder()
  stops.push(() => rmSync(folder, { recursive: true }))
  const l1 = await serveL1(join(folder, 'anvil.sock'), { clock: new VirtualClock() })
  const peer = connect({ port: Number(new URL(l1.url).port), allowHalfOpen: true })
  stops.push(() => peer.destroy())
  const head = ['Host: evil.example', 'Connection: Upgrade', 'Upgrade: websocket']
  peer.resume().write(['GET / HTTP/1.1', ...head, '', ''].join('\r\n'))
  await once(peer, 'end')
  await l1.stop()
})
