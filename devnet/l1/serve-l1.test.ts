import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { serveL1 } from './serve-l1.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What stands where anvil does, and L1 before it. */
async function l1Before(anvil: Server): Promise<string> {
  anvil.listen(0, '127.0.0.1')
  await new Promise((resolve) => anvil.once('listening', resolve))
  stops.push(() => {
    anvil.closeAllConnections()
    return new Promise((resolve) => anvil.close(resolve))
  })
  const { port } = anvil.address() as AddressInfo
  const l1 = await serveL1(port, {}, () => undefined)
  stops.push(() => l1.stop())
  return l1.url
}

async function callAt(url: string, id: number) {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_gasPrice', params: [] })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', body, headers })
  return { status: answer.status, json: await answer.json() }
}

test('given an anvil that closes an idle connection just when it is used, then the caller sees nothing of it', async () => {
  const used = new WeakSet()
  let closed = 0
  const url = await l1Before(
    createServer((request, response) => {
      // Whoever comes again on a connection meets its end.
      if (used.has(request.socket)) {
        closed += 1
        return void request.socket.destroy()
      }
      used.add(request.socket)
      response.setHeader('content-type', 'application/json')
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x7"}')
    }),
  )
  for (let id = 1; id <= 4; id += 1)
    expect(await callAt(url, id)).toEqual({
      status: 200,
      json: { jsonrpc: '2.0', id: 1, result: '0x7' },
    })
  expect(closed).toBeGreaterThan(0)
})

test('given an anvil that hangs up on everyone, then the error says what happened, and viem does not blame parameters', async () => {
  const url = await l1Before(createServer((request) => void request.socket.destroy()))
  expect(await callAt(url, 1)).toEqual({
    status: 503,
    json: {
      ...{ jsonrpc: '2.0', id: null },
      error: { code: -32603, message: 'L1 does not answer: socket hang up' },
    },
  })
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  await expect(client.getGasPrice()).rejects.toThrow(/L1 does not answer: socket hang up/)
  await expect(client.getGasPrice()).rejects.not.toThrow(/parameters/)
})
