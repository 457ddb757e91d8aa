import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { driverTransport } from './driver-transport.ts'
import { findProvableRange } from './provable-range.ts'

const HASH = `0x${'11'.repeat(32)}`
const answers: Record<string, unknown> = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: {
    number: '0x3',
    hash: HASH,
    stateRoot: HASH,
    withdrawalsRoot: HASH,
    transactions: [],
  },
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A node that breaks its first connection off instead of answering. */
async function startBreakingNode() {
  const asked: { method: string; key: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
    asked.push({ method, key: request.headers['x-key'] as string | undefined })
    if (asked.length === 1) return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }))
  })
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('given a connection that breaks, when a range is looked for, then it is found all the same, with the headers given', async () => {
  const { url, asked } = await startBreakingNode()
  const range = await findProvableRange({
    rpc: url,
    l1: url,
    blocks: 2,
    headers: { 'x-key': 'secret' },
    clock: systemClock,
    signal: new AbortController().signal,
  })
  expect(range).toMatchObject({ agreedNumber: 1, chainId: 1 })
  expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['secret']))
})

test('given a machine with other work, then an answer may take longer than any case waits for one', () => {
  const { config } = driverTransport('http://127.0.0.1:1')({})
  expect(config.timeout).toBeGreaterThan(45_000)
})
