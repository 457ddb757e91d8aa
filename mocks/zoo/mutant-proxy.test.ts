import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Mutant, MutantHooks } from './mutant.ts'
import { type MutantProxy, startMutantProxy } from './mutant-proxy.ts'

let server: Server
let sockets: WebSocketServer
let target: string
const seen: string[] = []
const proxies: MutantProxy[] = []
const clock = new VirtualClock()

beforeEach(async () => {
  seen.length = 0
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body}`)
      response.setHeader('x-target', 'yes')
      const { id, method } = JSON.parse(body || '{}')
      response.writeHead(method === 'teapot' ? 418 : 200)
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method ?? 'none' }))
    })
  })
  sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(String(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target = `127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop()
  for (const client of sockets.clients) client.terminate()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function stand(hooks?: MutantHooks, scheme = 'http') {
  const mutant: Mutant = {
    id: 'test.mutant',
    rule: 'RPC-ENV-01',
    area: 'envelope',
    target: 'rpc',
    says: 'Does what the test says',
    apply: () => hooks ?? {},
  }
  const proxy = await startMutantProxy({
    target: `${scheme}://${target}`,
    clock,
    ...(hooks ? { mutant } : {}),
  })
  proxies.push(proxy)
  return proxy.url
}

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
const call = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: [] })

describe('given no mutant, the proxy', () => {
  it('then bodies, paths, status and headers pass unchanged', async () => {
    const url = await stand()
    const reply = await post(`${url}/a?b=1`, call('teapot'))
    expect([reply.status, reply.headers.get('x-target')]).toEqual([418, 'yes'])
    expect(await reply.json()).toEqual({ jsonrpc: '2.0', id: 7, result: 'teapot' })
    expect(seen).toEqual([`POST /a?b=1 ${call('teapot')}`])
  })

  it('then what is no JSON-RPC passes', async () => {
    const url = await stand()
    await fetch(url)
    expect(seen).toEqual(['GET / '])
  })
})

describe('given a mutant, the proxy', () => {
  it('then calls are changed on their way in', async () => {
    const url = await stand({ call: (each) => ({ ...each, method: 'other' }) })
    expect(await (await post(url, call('one'))).json()).toMatchObject({ result: 'other' })
  })

  it('then it may answer for the target without asking it', async () => {
    const url = await stand({ call: () => ({ reply: { id: 7, result: 'mine' } }) })
    expect(await (await post(url, call('one'))).json()).toEqual({ id: 7, result: 'mine' })
    expect(seen).toEqual([])
  })

  it('then responses are changed on their way out', async () => {
    const url = await stand({ response: (each) => ({ ...each, result: 'changed' }) })
    expect(await (await post(url, call('one'))).json()).toMatchObject({ result: 'changed' })
  })

  it('then it may take over whole HTTP exchanges', async () => {
    const url = await stand({ http: async () => ({ status: 404, headers: {}, body: 'gone' }) })
    const reply = await post(url, call('one'))
    expect([reply.status, await reply.text()]).toEqual([404, 'gone'])
  })

  it('then WebSocket messages may be dropped or held back', async () => {
    const url = await stand(
      { message: (message) => (message.drop ? null : { message, delay: 1_000 }) },
      'ws',
    )
    const client = new WebSocket(url)
    const got: string[] = []
    client.on('message', (data) => got.push(String(data)))
    await new Promise((resolve) => client.once('open', resolve))
    client.send('{"drop":true}')
    client.send('{"say":"two"}')
    await untilArmed()
    expect(got).toEqual([])
    const arrived = new Promise((resolve) => client.once('message', resolve))
    await clock.advance(1_000)
    await arrived
    expect(got).toEqual(['{"say":"two"}'])
    client.terminate()
  })
})

/** A connection through a mutant, and what comes back by it. */
async function connect(hooks?: MutantHooks) {
  const client = new WebSocket(await stand(hooks, 'ws'))
  await new Promise((resolve) => client.once('open', resolve))
  const next = () =>
    new Promise<string>((resolve) => client.once('message', (data) => resolve(String(data))))
  return { client, next }
}

describe('given a WebSocket through the proxy', () => {
  it('then batches pass, and hooks for calls are not asked about them', async () => {
    const { client, next } = await connect({ call: (each) => ({ ...each, method: 'other' }) })
    client.send('[{"method":"one","params":[]}]')
    expect(await next()).toBe('[{"method":"one","params":[]}]')
    client.terminate()
  })

  it('then a mutant may change or swallow the text of a message, be it no JSON', async () => {
    const { client, next } = await connect({
      text: (text) => (text === '{' ? null : text.replace('one', 'two')),
    })
    client.send('{')
    client.send('{"say":"one"}')
    expect(await next()).toBe('{"say":"two"}')
    client.terminate()
  })

  it('then a mutant is told when a client has left', async () => {
    const left = Promise.withResolvers<object>()
    const { client } = await connect({ left: left.resolve })
    client.terminate()
    expect(await left.promise).toBeInstanceOf(WebSocket)
  })
})

/** The proxy has taken the message and set its alarm. */
async function untilArmed(): Promise<void> {
  while (clock.nextAlarm() === undefined) await new Promise((resolve) => setImmediate(resolve))
}
