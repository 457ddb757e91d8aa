import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '#protocol/clock/system-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import { invalidParams, JsonRpcError } from './json-rpc-error.ts'
import type { JsonRpcServer, JsonRpcServerOptions, RpcMethod } from './json-rpc-server.ts'

const servers: JsonRpcServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const methods: Record<string, RpcMethod> = {
  echo: (params) => params,
  later: async (params) => params,
  nothing: () => undefined,
  refuse: () => {
    throw invalidParams('address: must be 20 bytes')
  },
  fail: () => {
    throw new JsonRpcError(-32000, 'execution reverted', '0x01')
  },
  bug: () => {
    throw new Error('secret path /root')
  },
  unserialisable: () => 1n,
}

async function start(options: Partial<JsonRpcServerOptions> = {}): Promise<string> {
  const server = createJsonRpcServer({ methods, clock: systemClock, ...options })
  servers.push(server)
  return `http://127.0.0.1:${await server.listen({ port: 0 })}`
}

const json = { 'content-type': 'application/json' }
const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
) => fetch(url, { method: 'POST', body, headers })
const call = (method: string, extra: object = {}) => ({ jsonrpc: '2.0', id: 1, method, ...extra })
async function answer(url: string, body: unknown): Promise<unknown> {
  const response = await post(url, typeof body === 'string' ? body : JSON.stringify(body))
  expect(response.status).toBe(200)
  const text = await response.text()
  return text && JSON.parse(text)
}
const errorWith = (id: unknown, code: number, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String), ...(data === undefined ? {} : { data }) },
})

test('given a call, then it is answered with its id, value and type (RPC-ENV-01, -08, -09)', async () => {
  const url = await start()
  for (const id of [0, 1, 4_294_967_296, 'seven', '', null]) {
    const reply = await answer(url, call('echo', { id, params: [id] }))
    expect(reply).toStrictEqual({ jsonrpc: '2.0', id, result: [id] })
  }
})

test('given a method that answers nothing, then the result is null (RPC-ENV-10)', async () => {
  expect(await answer(await start(), call('nothing'))).toStrictEqual({
    jsonrpc: '2.0',
    id: 1,
    result: null,
  })
})

test('given a bad envelope, then it gets the code of JSON-RPC 2.0 under HTTP 200 (OPEN-01)', async () => {
  const url = await start()
  const explained = expect.any(String)
  expect(await answer(url, '{"jsonrpc":')).toStrictEqual(errorWith(null, -32700, explained))
  expect(await answer(url, '')).toStrictEqual(errorWith(null, -32700, explained))
  expect(await answer(url, [])).toStrictEqual(errorWith(null, -32600, explained))
  for (const notARequest of ['null', '1', '"x"', '{}', '{"jsonrpc":"2.0"}']) {
    expect(await answer(url, notARequest)).toStrictEqual(errorWith(null, -32600, explained))
  }
  const wrong = [{ jsonrpc: '1.0' }, { jsonrpc: undefined }, { method: 7 }, { params: 'x' }]
  for (const change of wrong) {
    const reply = await answer(url, { ...call('echo'), ...change })
    expect(reply).toStrictEqual(errorWith(1, -32600, explained))
  }
  expect(await answer(url, call('echo', { id: {} }))).toStrictEqual(
    errorWith(null, -32600, explained),
  )
  for (const method of ['eth_made_up', 'toString', '__proto__']) {
    expect(await answer(url, call(method))).toStrictEqual(errorWith(1, -32601, explained))
  }
})

test('given an error, then it carries code, message and data, and a bug of ours leaks nothing (RPC-ENV-11)', async () => {
  const url = await start()
  expect(await answer(url, call('refuse'))).toMatchObject({
    error: { code: -32602, message: 'Invalid params', data: 'address: must be 20 bytes' },
  })
  expect(await answer(url, call('fail'))).toStrictEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32000, message: 'execution reverted', data: '0x01' },
  })
  for (const method of ['bug', 'unserialisable']) {
    expect(await answer(url, call(method))).toStrictEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    })
  }
})

test('given a batch, then calls are answered in order and notifications are not', async () => {
  const url = await start({ maxBatch: 4 })
  const notification = { jsonrpc: '2.0', method: 'echo' }
  const batch = [call('later', { id: 'a', params: [] }), notification, 1, call('echo', { id: 2 })]
  expect(await answer(url, batch)).toStrictEqual([
    { jsonrpc: '2.0', id: 'a', result: [] },
    errorWith(null, -32600, expect.any(String)),
    { jsonrpc: '2.0', id: 2, result: null },
  ])
  expect(await answer(url, notification)).toBe('')
  expect(await answer(url, [notification, notification])).toBe('')
  expect(await answer(url, [...batch, 5])).toStrictEqual(
    errorWith(null, -32010, expect.any(String)),
  )
})

test('given unknown members of a request object, then they are ignored', async () => {
  expect(await answer(await start(), call('echo', { params: [1], extra: true }))).toMatchObject({
    result: [1],
  })
})

test('given another HTTP method, content type or a body over the limit, then 405, 415, 413', async () => {
  const url = await start({ maxBodyBytes: 100 })
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
    expect((await fetch(url, { method })).status).toBe(405)
  }
  expect((await post(url, '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await post(url, new Uint8Array(2), {})).status).toBe(415)
  const withCharset = { 'content-type': 'application/json; charset=utf-8' }
  expect((await post(url, JSON.stringify(call('echo')), withCharset)).status).toBe(200)
  const tooBig = await post(url, ' '.repeat(101))
  expect(tooBig.status).toBe(413)
  expect(await tooBig.json()).toMatchObject({ id: null, error: { code: -32007 } })
})

test('given an answer over the limit, then -32008 takes its place', async () => {
  const url = await start({ maxResponse: 50 })
  const long = ['x'.repeat(51)]
  expect(await answer(url, call('echo', { params: long }))).toMatchObject({
    id: 1,
    error: { code: -32008 },
  })
})

test('given a page on this machine, when it calls, then preflight and answer carry the headers of CORS', async () => {
  const url = await start()
  const origin = 'http://localhost:5173'
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-id',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,x-id')
  const reply = await post(url, JSON.stringify(call('echo')), { ...json, origin })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
})

test('given a GET proxy, then it answers the bare result, and 500 with the bare error', async () => {
  const url = await start({ getProxies: { '/healthz': 'nothing', '/broken': 'fail' } })
  const healthy = await fetch(`${url}/healthz`)
  expect([healthy.status, await healthy.json()]).toStrictEqual([200, null])
  const broken = await fetch(`${url}/broken`)
  expect([broken.status, await broken.json()]).toStrictEqual([
    500,
    { code: -32000, message: 'execution reverted', data: '0x01' },
  ])
})

test('given a caller that goes away, then the signal of its call is aborted', async () => {
  const aborted = Promise.withResolvers<boolean>()
  const started = Promise.withResolvers<void>()
  const wait: RpcMethod = (_params, { signal }) => {
    started.resolve()
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.resolve(true)
        resolve(null)
      })
    })
  }
  const url = await start({ methods: { wait } })
  const caller = new AbortController()
  const request = fetch(url, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(call('wait')),
    signal: caller.signal,
  })
  await started.promise
  caller.abort()
  await expect(request).rejects.toThrow()
  expect(await aborted.promise).toBe(true)
})

test('given a busy port, then listen throws PORT_BUSY and names the port', async () => {
  const url = await start()
  const port = Number(new URL(url).port)
  const second = createJsonRpcServer({ methods, clock: systemClock })
  await expect(second.listen({ port })).rejects.toMatchObject({
    code: 'PORT_BUSY',
    message: expect.stringContaining(String(port)),
  })
})

test('given a call in flight, when the server closes, then it waits for it and leaves no socket', async () => {
  const release = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  const slow: RpcMethod = () => {
    started.resolve()
    return release.promise
  }
  const server = createJsonRpcServer({ methods: { slow }, clock: systemClock, webSocket: true })
  const port = await server.listen({ port: 0 })
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  await new Promise((resolve) => socket.once('open', resolve))
  const socketClosed = new Promise((resolve) => socket.once('close', resolve))
  const reply = answer(`http://127.0.0.1:${port}`, call('slow'))
  await started.promise
  const closed = server.close()
  release.resolve('done')
  expect(await reply).toMatchObject({ result: 'done' })
  await closed
  await server.close()
  expect(await socketClosed).toBe(1001)
  const refused = await new Promise((resolve) => {
    net.connect(port, '127.0.0.1').once('error', (error) => resolve(error))
  })
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
})

test('given views at paths, then each has methods of its own, over HTTP and WebSocket', async () => {
  const served: Record<string, Record<string, RpcMethod>> = {
    '/other': { who: () => 'other' },
    '/branch/1': { who: () => 'branch 1' },
  }
  const url = await start({
    methods: { who: () => 'root' },
    views: { at: (path) => served[path], paths: ['/other', '/branch/ID'] },
    webSocket: true,
  })
  const ask = async (path: string) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
    try {
      const said = new Promise<string>((resolve, reject) => {
        socket.once('message', (data) => resolve(data.toString()))
        socket.once('error', reject)
      })
      socket.once('open', () => socket.send(JSON.stringify(call('who'))))
      return JSON.parse(await said).result
    } finally {
      socket.terminate()
    }
  }
  // A browser's call goes through node:http, that of a program through the fast lane.
  const page = { ...json, origin: 'http://localhost' }
  for (const [path, result] of [
    ['/', 'root'],
    ['/other', 'other'],
    ['/other/', 'other'],
    ['/branch/1?x=1', 'branch 1'],
  ] as const) {
    const body = JSON.stringify(call('who'))
    for (const headers of [json, page]) {
      const response = await post(`${url}${path}`, body, headers)
      expect(await response.json()).toMatchObject({ result })
    }
    expect(await ask(path)).toBe(result)
  }
  expect((await fetch(`${url}/other`)).status).toBe(405)

  // A view that is gone, while a connection that knew it stays.
  delete served['/branch/1']
  for (const path of ['/branch/1', '/nowhere', '//', '/toString', '/branch/1/']) {
    const refused = await post(`${url}${path}`, JSON.stringify(call('who')))
    expect([path, refused.status]).toEqual([path, 404])
    expect(await refused.text()).toContain('/, /other, /branch/ID')
    await expect(ask(path)).rejects.toThrow('404')
  }
  expect((await fetch(`${url}/nowhere`)).status).toBe(404)
})

test('given a WebSocket, when its view goes away, then the next call closes it', async () => {
  const served = new Map([['/branch/1', methods]])
  const url = await start({ views: { at: (path) => served.get(path), paths: [] }, webSocket: true })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/branch/1`)
  try {
    await new Promise((resolve) => socket.once('open', resolve))
    served.clear()
    const closed = new Promise((resolve) => socket.once('close', (...why) => resolve(why)))
    socket.send(JSON.stringify(call('echo')))
    expect(await closed).toEqual([1001, Buffer.from('Nothing is served at this path any more.')])
  } finally {
    socket.terminate()
  }
})
