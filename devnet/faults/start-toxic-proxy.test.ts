import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { systemClock } from '#protocol/clock/system-clock'
import { seededRng } from '#protocol/random/rng'
import { startToxicProxy } from './start-toxic-proxy.ts'
import { ToxicLink } from './toxic-link.ts'

const owned: ResourceStack[] = []
afterEach(async () => {
  for (const stack of owned.splice(0)) await stack.stop()
})

const newLink = () => new ToxicLink({ clock: systemClock, rng: seededRng(1) })

/** An HTTP server that gives back what it gets, behind a proxy. */
async function scene() {
  const stack = new ResourceStack()
  owned.push(stack)
  const server = createHttpServer(async (request, response) => {
    response.end(await buffer(request))
  })
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const [link, socketLink] = [newLink(), newLink()]
  const proxy = await startToxicProxy({
    link,
    socketLink,
    listen: { host: '127.0.0.1', port: 0 },
    target: () => ({ host: '127.0.0.1', port }),
    service: 'test',
  })
  stack.add(proxy)
  const post = async (body: string | Buffer<ArrayBuffer>) => {
    const answer = await fetch(`http://127.0.0.1:${proxy.port}/`, { method: 'POST', body })
    return Buffer.from(await answer.arrayBuffer())
  }
  return { link, socketLink, proxy, post }
}

test('given no fault, then megabytes pass both ways unchanged', async () => {
  const { post } = await scene()
  const body = new Uint8Array(5_000_000).map((_, at) => (at * 7919) >> 5)
  expect(Buffer.compare(await post(Buffer.from(body)), Buffer.from(body))).toBe(0)
})

test('given slices, latency and a small bandwidth together, then all still arrives unchanged', async () => {
  const { post, link } = await scene()
  link.add('slicer', { average_size: 700, size_variation: 500 })
  link.add('latency', { latency: 5, jitter: 4 })
  link.add('bandwidth', { rate: 100_000 })
  const body = new Uint8Array(300_000).map((_, at) => (at * 7919) >> 3)
  expect(Buffer.compare(await post(Buffer.from(body)), Buffer.from(body))).toBe(0)
})

test('given it is down, then callers get an error, and answers again later', async () => {
  const { post, link } = await scene()
  expect(String(await post('a'))).toBe('a')
  const clear = link.add('down')
  await expect(post('b')).rejects.toThrow()
  clear()
  expect(String(await post('c'))).toBe('c')
})

test('given a cut in the middle of the answer, then the caller gets an error and no half of it', async () => {
  const { post, link } = await scene()
  link.add('limit_data', { bytes: 4_000, direction: 'downstream' })
  await expect(post('x'.repeat(100_000))).rejects.toThrow()
})

test('given faults on WebSockets alone, then plain requests are well', async () => {
  const { post, proxy, socketLink } = await scene()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [head] = await once(socket, 'data')
  expect(String(head)).toContain('101')
  socket.write('ping')
  expect(String((await once(socket, 'data'))[0])).toBe('ping')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socketLink.add('down')
  await closed
  expect(String(await post('a'))).toBe('a')
})

test('given UNIX sockets and an end of one side only, then the answer still comes', async () => {
  const stack = new ResourceStack()
  owned.push(stack)
  const folder = mkdtempSync(join(tmpdir(), 'toxic-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.end(await buffer(socket))
  })
  server.listen(join(folder, 'server'))
  await once(server, 'listening')
  stack.defer(() => void server.close())
  stack.add(
    await startToxicProxy({
      link: newLink(),
      listen: { path: join(folder, 'proxy') },
      target: () => ({ path: join(folder, 'server') }),
      service: 'test',
    }),
  )
  const client = connect({ path: join(folder, 'proxy'), allowHalfOpen: true })
  client.end('whole')
  expect(String(await buffer(client))).toBe('whole')
})

test('given a caller that hangs up without a word, then the proxy does, too', async () => {
  const { proxy } = await scene()
  const caller = connect(proxy.port, '127.0.0.1').resume().end()
  await once(caller, 'close')
})

test('given nobody behind it, then the caller is told', async () => {
  const stack = new ResourceStack()
  owned.push(stack)
  const proxy = stack.add(
    await startToxicProxy({
      link: newLink(),
      listen: { host: '127.0.0.1', port: 0 },
      target: () => ({ path: '/nowhere/at/all' }),
      service: 'test',
    }),
  )
  await expect(fetch(`http://127.0.0.1:${proxy.port}/`)).rejects.toThrow()
})
