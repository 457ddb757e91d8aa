import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { ask } from './ask.ts'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { createHttpClient } from './http-client.ts'
import { createTargetLine } from './target-line.ts'

/** A server that closes the connection of its first requests, as it may do with one that was idle. */
async function meet(closed: number) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    if (requests <= closed) return void request.socket.destroy()
    response.end('{}')
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const run = new AbortController()
  const { signal } = run
  const client = createHttpClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorder: new ExchangeRecorder(systemClock),
    signal,
  })
  return { send: () => client.send({ body: '{}' }), requests: () => requests, run }
}

test('given a server that closes a connection as the request goes out, then it is sent again', async () => {
  const { send, requests } = await meet(3)
  expect(await send()).toMatchObject({ status: 200, text: '{}' })
  expect(requests()).toBe(4)
})

test('given one that closes every connection, then that is the answer', async () => {
  const { send, requests } = await meet(Number.POSITIVE_INFINITY)
  await expect(send()).rejects.toMatchObject({ at: 'HTTP reply', expected: 'a reply' })
  expect(requests()).toBe(5)
})

test('given requests by many connections, then nothing of them listens to the end of the run any more', async () => {
  const { send, run } = await meet(0)
  await Promise.all(Array.from({ length: 20 }, send))
  expect(getEventListeners(run.signal, 'abort')).toEqual([])
})

/** A server that says back what came, in an answer that it calls compressed. */
async function meetCoding(coded: (text: string) => Buffer | string) {
  const server = createServer(async (request, response) => {
    const came = Buffer.concat(await request.toArray()).toString()
    response.setHeader('content-encoding', 'gzip')
    response.end(coded(came))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return createHttpClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorder: new ExchangeRecorder(systemClock),
    signal: new AbortController().signal,
  })
}

test('given an answer that is compressed, then it is read', async () => {
  const client = await meetCoding(gzipSync)
  expect((await client.send({ body: '{"a":1}' })).text).toBe('{"a":1}')
})

test('given an answer that is only called compressed, then that is no reply', async () => {
  const client = await meetCoding((text) => text)
  await expect(client.send({ body: '{}' })).rejects.toMatchObject({ at: 'HTTP reply' })
})

/** A server that says which key it was sent, and sends `/away` to another place. */
async function meetRedirecting(away: () => string) {
  const server = createServer((request, response) => {
    if (request.url === '/away') return void response.writeHead(307, { location: away() }).end()
    response.end(JSON.stringify({ key: request.headers['x-api-key'], of: request.method }))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['the same origin', (own: string) => own, { key: 'sample-key', of: 'POST' }],
  ['another origin', (_: string, other: string) => other, { of: 'POST' }],
])(
  'given keys for a target, when it redirects to %s, then they go to the target alone',
  async (_, placeOf, expected) => {
    const other = await meetRedirecting(() => '/')
    const own: string = await meetRedirecting(() => `${placeOf(own, other)}/there`)
    const client = createHttpClient({
      url: own,
      recorder: new ExchangeRecorder(systemClock),
      signal: new AbortController().signal,
      line: createTargetLine({ clock: systemClock, headers: { 'x-api-key': 'sample-key' } }),
    })
    expect((await client.send({ path: '/away', body: '{}' })).json).toEqual(expected)
  },
)

test.each(['identity', 'gzip'])(
  'given an answer of more bytes than are read (%s), then that is said',
  async (coding) => {
    const server = createServer((_, response) => {
      response.setHeader('content-encoding', coding)
      response.end(coding === 'gzip' ? gzipSync('x'.repeat(1_000)) : 'x'.repeat(1_000))
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { signal } = new AbortController()
    const answer = await ask(url, { method: 'POST', headers: {}, most: 999, signal })
    await expect(answer.text()).rejects.toThrow('The answer has more than 999 bytes.')
  },
)
