import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'

/** What a page of a foreign site, or a name that was bound to this machine, can reach. */

const PREVIEW = 'https://preview.example'
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const services = [
  'rpcUrl',
  'plainRpcUrl',
  'apiUrl',
  'proverUrl',
  'l1RpcUrl',
  'l1BeaconUrl',
  'rollupRpcUrl',
  'dashboardUrl',
] as const

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ plainRpc: true, allowOrigins: [PREVIEW], logLevel: 'silent' })
})
afterAll(() => devnet?.stop())

/** Not fetch, which sets Host itself. */
async function send(
  service: (typeof services)[number],
  method: string,
  headers: OutgoingHttpHeaders | readonly string[],
  sent: string | Buffer = body,
) {
  const call = request(devnet.description[service]!, { method, headers })
  call.end(method === 'POST' ? sent : undefined)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}

describe.each(services)('%s', (service) => {
  test.each([
    ['its own name', { host: 'rebound.example:8545' }],
    ['its origin', { origin: 'https://evil.example' }],
    ['no origin to name, as a sandboxed frame', { origin: 'null' }],
  ])('given a foreign page that comes with %s, then it is refused', async (_what, headers) => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await send(service, method, {
        'content-type': 'text/plain',
        'access-control-request-method': 'POST',
        'access-control-request-private-network': 'true',
        ...headers,
      })
      expect(answer.status).toBe(403)
      expect(answer.text).toMatch(/^(HOST|ORIGIN)_REFUSED: .+\n$/)
      const granted = Object.keys(answer.headers).filter((name) =>
        name.startsWith('access-control'),
      )
      expect(granted).toEqual([])
    }
  })

  test('given a request with two Host fields, of which the first is ours, then 400 says so', async () => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const headers = ['Host', 'localhost', 'Host', 'rebound.example', 'Content-Length']
      const length = method === 'POST' ? body.length : 0
      const { status, text } = await send(service, method, [...headers, String(length)])
      expect({ status, text }).toEqual({
        status: 400,
        text: expect.stringMatching(/^HOST_TWICE: .+\n$/),
      })
    }
  })

  test('given a body in gzip, then 415 says that it is not unpacked', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const { status, text } = await send(service, 'POST', headers, gzipSync(body))
    expect({ status, text }).toEqual({
      status: 415,
      text: expect.stringMatching(/^ENCODING_REFUSED: .+'gzip'.+\n$/),
    })
  })

  test('given a page on this machine or one that is allowed by name, then it may call, and read', async () => {
    for (const origin of ['http://localhost:5173', PREVIEW]) {
      const answer = await send(service, 'OPTIONS', {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-private-network': 'true',
      })
      expect(answer.status).toBe(204)
      expect(answer.headers['access-control-allow-origin']).toBe(origin)
      expect(answer.headers['access-control-allow-private-network']).toBe(
        origin === PREVIEW ? 'true' : undefined,
      )
      const called = await send(service, 'POST', { 'content-type': 'application/json', origin })
      expect(called.status).not.toBe(403)
      expect(called.headers['access-control-allow-origin']).toBe(origin)
    }
  })
})

test.each(['rpcUrl', 'l1RpcUrl'] as const)(
  'given a foreign page, then it opens no WebSocket of %s',
  async (service) => {
    const upgrade = (headers: OutgoingHttpHeaders) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = request(devnet.description[service], {
          headers: {
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-version': '13',
            'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
            ...headers,
          },
        })
        call.on('error', reject)
        call.on('response', (answer) => resolve(answer.resume().statusCode))
        call.on('upgrade', (answer, socket) => {
          socket.destroy()
          resolve(answer.statusCode)
        })
        call.end()
      })
    expect(await upgrade({ origin: 'https://evil.example' })).toBe(403)
    expect(await upgrade({ host: 'rebound.example' })).toBe(403)
    expect(await upgrade({ origin: 'http://localhost:3000' })).toBe(101)
    expect(await upgrade({ origin: PREVIEW })).toBe(101)
    expect(await upgrade({})).toBe(101)
  },
)
