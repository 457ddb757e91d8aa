import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { LoggedRequest } from '#devnet/l2/node/rpc/watching/request-log'
import { type CheatNode, request, startCheatNode } from './cheat-node.ts'

let node: CheatNode
beforeAll(async () => {
  node = await startCheatNode({ manual: true })
})
afterAll(() => node.stop())
const log = async (after = 0) =>
  (await request(node.url, 'rollbed_requestLog', [after])) as LoggedRequest[]

async function connect() {
  const socket = new WebSocket(node.wsUrl)
  await once(socket, 'open')
  const call = async (method: string, ...params: unknown[]) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const [data] = await once(socket, 'message')
    return JSON.parse(String(data)).result
  }
  return { call, socket }
}

test('given calls that succeed and fail, when the log is read, then each is there once with its params and error', async () => {
  await request(node.url, 'eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest'])
  await request(node.url, 'eth_getBalance', ['0x11']).catch(() => {})
  await request(node.url, 'web3_sha3', [`0x${'00'.repeat(3_000)}`])
  const [sound, broken, long] = (await log()).slice(-3)
  expect(sound).toMatchObject({
    ...{ method: 'eth_getBalance', params: [`0x${'11'.repeat(20)}`, 'latest'], error: null },
    transport: 'http',
  })
  expect(broken).toMatchObject({ method: 'eth_getBalance', error: { code: -32602 } })
  expect(long).toMatchObject({ method: 'web3_sha3', params: null })
  expect((await log(long!.id)).map(({ method }) => method)).toEqual(['rollbed_requestLog'])
})

test('given more calls than it keeps, then the oldest are forgotten', async () => {
  const batch = Array.from({ length: 600 }, (_, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] },
  }))
  const body = JSON.stringify(batch)
  const headers = { 'content-type': 'application/json' }
  await (await fetch(node.url, { method: 'POST', headers, body })).text()
  expect(await log()).toHaveLength(500)
})

test('given a connection that reads the log, then its own calls are left out, and those of others are not', async () => {
  const [reader, dapp] = [await connect(), await connect()]
  const last = (await log()).at(-1)!.id
  await reader.call('rollbed_requestLog', last)
  await reader.call('eth_blockNumber')
  await dapp.call('eth_chainId')
  const seen = (await reader.call('rollbed_requestLog', last)) as LoggedRequest[]
  expect(seen.map(({ method, transport }) => `${method} ${transport}`)).toEqual([
    'rollbed_requestLog http',
    'eth_chainId ws',
  ])
  for (const { socket } of [reader, dapp]) socket.terminate()
})

test('given subscriptions, then they are listed with what they sent, until they end', async () => {
  const { call, socket } = await connect()
  const id = await call('eth_subscribe', 'newHeads')
  const logs = await call('eth_subscribe', 'logs', { topics: [] })
  const sealed = once(socket, 'message')
  await request(node.url, 'evm_mine', [])
  await sealed
  expect(await request(node.url, 'rollbed_subscriptions', [])).toMatchObject([
    { id, kind: 'newHeads', options: null, sent: 1, since: expect.any(Number) },
    { id: logs, kind: 'logs', options: { topics: [] }, sent: 0 },
  ])
  await call('eth_unsubscribe', id)
  expect(await request(node.url, 'rollbed_subscriptions', [])).toMatchObject([{ id: logs }])
  const closed = once(socket, 'close')
  socket.close()
  await closed
  expect(await request(node.url, 'rollbed_subscriptions', [])).toEqual([])
})
