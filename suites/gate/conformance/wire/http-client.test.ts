import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { createHttpClient } from './http-client.ts'

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
