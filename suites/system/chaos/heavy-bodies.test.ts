import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { RollbedProcess } from '../end-to-end/rollbed-process.ts'
import { memoryOf, watchFlashblocks } from './flashblock-watch.ts'
import { rounds } from './rounds.ts'
import type { SubscriberAnswers, SubscriberOrders } from './subscriber-thread.ts'

/** Little to send, much to take in: flashblocks go on, and what is refused is refused in words. */

const MEGABYTE = 1_000_000
const isLong = rounds(0, 1) === 1
/** Bytes of a body; one is allowed to have 15 MB. */
const BODY = rounds(2, 15) * MEGABYTE
/** Bytes of a message on a WebSocket; one is allowed to have 4 MB. */
const MESSAGE = rounds(2, 4) * MEGABYTE
/** Bytes that the bomb unpacks to. */
const UNPACKED = rounds(100, 250) * MEGABYTE
const CONNECTIONS = rounds(80, 300)

let rollbed: RollbedProcess
let devnet: DevnetDescription
beforeAll(async () => {
  rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', '--enclaves', 'none'])
  devnet = await rollbed.ready()
})
afterAll(async () => {
  const { exitCode } = await rollbed.stop()
  expect(exitCode).toBe(0)
})

interface Answer {
  error?: { code: number; message: string; data?: unknown }
}

/** Not fetch: its own thread of work would be measured, too. */
async function post(body: Buffer): Promise<Answer> {
  return JSON.parse((await exchange(devnet.rpcUrl, body)).body) as Answer
}

async function exchange(url: string, body: Buffer): Promise<{ head: string; body: string }> {
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
  const parts: Buffer[] = []
  for await (const part of socket as AsyncIterable<Buffer>) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const end = text.indexOf('\r\n\r\n')
  return { head: text.slice(0, end), body: text.slice(end + 4) }
}

async function overSocket(body: Buffer): Promise<Answer> {
  const socket = new WebSocket(devnet.wsUrl)
  await once(socket, 'open')
  socket.send(body, { binary: false })
  const [message] = (await once(socket, 'message')) as [Buffer]
  socket.terminate()
  return JSON.parse(message.toString()) as Answer
}

const filled = (piece: string, length: number) =>
  Buffer.alloc(Math.floor(length / piece.length) * piece.length, piece)

/** A state of so many bytes of values, some thousandth of it to send. */
function bomb(): Buffer {
  const chainId = devnet.chainId
  const head = `{"format":"rollbed-state","version":1,"chainId":${chainId},"stateRoot":"0x${'11'.repeat(32)}","values":["0x00"`
  const packed = gzipSync(
    Buffer.concat([Buffer.from(head), filled(',"0x00"', UNPACKED), Buffer.from(']}')]),
  )
  const state = `0x${packed.toString('hex')}`
  const method = 'anvil_loadState'
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [state] }))
}

const nested = (length: number) => Buffer.concat([filled('[', length / 2), filled(']', length / 2)])
const emptyCalls = (length: number) =>
  Buffer.concat([Buffer.from('[{}'), filled(',{}', length - 4), Buffer.from(']')])
const call = (params: Buffer) =>
  Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":'),
    params,
    Buffer.from('}'),
  ])

describe.each<[string, () => Buffer, (body: Buffer) => Promise<Answer>, number, RegExp]>([
  ['a state that unpacks to far more', bomb, post, -32602, /The state cannot be used: it unpacks/],
  ['lists in lists', () => call(nested(BODY)), post, -32007, /64 deep/],
  [
    'lists in lists on a WebSocket',
    () => call(nested(MESSAGE - 100)),
    overSocket,
    -32007,
    /64 deep/,
  ],
  ['a batch of empty calls', () => emptyCalls(BODY), post, -32007, /32768 values and names/],
  [
    'a batch of empty calls on a WebSocket',
    () => emptyCalls(MESSAGE),
    overSocket,
    -32007,
    /32768 values and names/,
  ],
])('%s', (name, makeBody, send, code, words) => {
  test('then it is refused in words, and flashblocks go on', async () => {
    const body = makeBody()
    const quiet = await measured(() => Promise.resolve())
    const attacked = await measured(() => send(body))
    expect(attacked.result.error).toMatchObject({ code })
    expect(JSON.stringify(attacked.result.error)).toMatch(words)
    report(name, quiet, attacked)
  })
})

test('given subscribers without number, then the node has a limit, says so, and flashblocks go on', async () => {
  const workerData: SubscriberOrders = { wsUrl: devnet.wsUrl, connections: CONNECTIONS, each: 32 }
  const quiet = await measured(() => Promise.resolve())
  const thread = new URL('./subscriber-thread.ts', import.meta.url)
  let subscribers: Worker | undefined
  // Begun when the one that watches has its subscription: it could have none afterwards.
  const attacked = await measured(async () => {
    subscribers = new Worker(thread, { workerData })
    const [answers] = (await once(subscribers, 'message')) as [SubscriberAnswers]
    return answers
  })
  await subscribers!.terminate()
  const most = 2_048
  expect(attacked.result).toEqual({
    granted: most - 1,
    refusals: { 'Too many subscriptions on the node': CONNECTIONS * 32 - most + 1 },
  })
  report('subscribers without number', quiet, attacked)
})

interface Measured<T> {
  result: T
  /** Milliseconds. */
  gap: number
  /** Megabytes. */
  grown: number
}

/** Whatever comes of it, and five flashblocks more. */
async function measured<T>(attack: () => Promise<T>): Promise<Measured<T>> {
  const { pid } = rollbed.child
  const watch = await watchFlashblocks(devnet.wsUrl)
  const before = memoryOf(pid!)
  const attacking = attack()
  const [result] = await Promise.all([attacking, watch.seen(5)])
  await watch.seen(5)
  return { result, gap: watch.stop(), grown: memoryOf(pid!) - before }
}

function report(name: string, quiet: Measured<unknown>, attacked: Measured<unknown>): void {
  if (!isLong) return
  const { gap, grown } = attacked
  process.stdout.write(
    `${name}: longest gap ${gap.toFixed(0)} ms, quiet ${quiet.gap.toFixed(0)} ms (× ${(gap / quiet.gap).toFixed(2)}); memory +${grown.toFixed(0)} MB\n`,
  )
  // A tick is 200 ms: 50 ms late is a quarter.
  expect(gap / quiet.gap).toBeLessThan(1.25)
  expect(grown).toBeLessThan(300)
}

test('given a body beyond the limit, from who sends all before he reads, then he reads why it is refused, at every door', async () => {
  const doors: [url: string, limit: RegExp][] = [
    [devnet.rpcUrl, /15728640 bytes/],
    [devnet.l1RpcUrl, /4194304 bytes/],
    [`${devnet.apiUrl}/v1/agents/builder-codes`, /16384 bytes/],
  ]
  const body = filled(' ', 17 * MEGABYTE)
  for (const [url, limit] of doors) {
    const answer = await exchange(url, body)
    expect(answer.head).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer.body).toMatch(limit)
  }
})

test('given all of this, then the node still answers, and nothing was changed by it', async () => {
  const l2 = httpRpcClient(devnet.rpcUrl)
  expect(await l2.request('eth_chainId', [])).toBe(`0x${devnet.chainId.toString(16)}`)
  expect(await l2.request('anvil_metadata', [])).toMatchObject({ divergence: null })
})
