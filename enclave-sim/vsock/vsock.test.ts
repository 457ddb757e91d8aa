import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { listenVsock } from './listen-vsock.ts'
import { connectNative, listenNative, type NativeAddress } from './native-socket.ts'
import { vsockAddress } from './vsock-address.ts'

// AF_VSOCK needs a peer in another machine; the same socket code runs here over families that any
// kernel has. suites/prover/vm-lane has the real one.

/** struct sockaddr_un. */
function unixAddress(path: string): NativeAddress {
  const bytes = Buffer.concat([Buffer.of(1, 0), Buffer.from(path), Buffer.of(0)])
  return { family: 1, bytes, text: path }
}

/** struct sockaddr_in on loopback. */
function loopbackAddress(port: number): NativeAddress {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt16LE(2, 0)
  bytes.writeUInt16BE(port, 2)
  bytes.set([127, 0, 0, 1], 4)
  return { family: 2, bytes, text: `127.0.0.1:${port}` }
}

let directory: string
let path: string
let server: Server | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rb-'))
  path = join(directory, 'socket')
})
afterEach(() => {
  server?.close()
  server = undefined
  rmSync(directory, { recursive: true })
})

const echo = (stream: Duplex) => void stream.pipe(stream)

async function loopback(): Promise<number> {
  server = createServer(echo)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

// Compiled from linux/vm_sockets.h on x86-64: family 40, then port and CID.
test.each([
  ['an enclave', 0x01020304, 8000, '28000000401f00000403020100000000'],
  ['the hypervisor', 2, 9001, '28000000292300000200000000000000'],
  ['whatever CID there is', 0xffffffff, 0xffffffff, '28000000ffffffffffffffff00000000'],
])('given the address of %s, then it is struct sockaddr_vm', (_what, cid, port, bytes) => {
  const address = vsockAddress(cid, port)
  expect(Buffer.from(address.bytes).toString('hex')).toBe(bytes)
  expect(address).toMatchObject({ family: 40, text: `vsock:${cid}:${port}` })
})

describe('a listener and a client of the kernel', () => {
  test('given frames of 1 MiB, sixteen at once, then they pass both ways (ENC-PROTO-08)', async () => {
    const listener = await listenVsock({
      port: 0,
      address: unixAddress(path),
      onConnection: async (stream) => writeFrame(stream, await readFrame(stream, { clock })),
    })
    const exchange = async (fill: number) => {
      const stream = await connectNative(unixAddress(path), 1_000)
      const sent = Buffer.alloc(2 ** 20, fill)
      await writeFrame(stream, sent)
      const received = await readFrame(stream, { clock })
      stream.destroy()
      return Buffer.compare(sent, received)
    }
    const results = await Promise.all(Array.from({ length: 16 }, (_, index) => exchange(index)))
    expect(results).toEqual(Array(16).fill(0))
    await listener.close()
  })

  test('given an open connection, when the listener closes, then it is dropped', async () => {
    const listener = await listenVsock({ port: 0, address: unixAddress(path), onConnection: echo })
    const stream = await connectNative(unixAddress(path), 1_000)
    stream.write('x')
    await once(stream, 'data')
    const ended = once(stream, 'end')
    await listener.close()
    await ended
    stream.destroy()
  })

  test('given more connections than allowed, then they are closed', async () => {
    const listener = await listenVsock({
      port: 0,
      address: unixAddress(path),
      onConnection: echo,
      maxConnections: 1,
    })
    const first = await connectNative(unixAddress(path), 1_000)
    first.write('x')
    await once(first, 'data')
    const second = await connectNative(unixAddress(path), 1_000)
    await once(second.resume(), 'end')
    first.destroy()
    second.destroy()
    await listener.close()
  })
})

describe('connecting', () => {
  test('given a connection that is in progress, then it is waited for', async () => {
    const stream = await connectNative(loopbackAddress(await loopback()), 1_000)
    stream.write('hello')
    const [data] = await once(stream, 'data')
    expect(String(data)).toBe('hello')
    stream.destroy()
  })

  test.each([
    ['a port where nobody listens', 'ECONNREFUSED', () => loopbackAddress(1)],
    ['a path that is not there', 'ENOENT', () => unixAddress(path)],
    ['a family that is none', 'EAFNOSUPPORT', () => ({ ...unixAddress(path), family: 99 })],
  ])('given %s, then it is %s', async (_what, code, address) => {
    const { text } = address()
    await expect(connectNative(address(), 1_000)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${text}: ${code}`),
    })
  })

  test('given a machine that does not answer, then it is ETIMEDOUT', async () => {
    const stuck = new Worker(
      `const { parentPort } = require('node:worker_threads')
       const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         parentPort.postMessage(server.address().port)
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
       })`,
      { eval: true },
    )
    const [port] = await once(stuck, 'message')
    // The kernel takes two into a queue of one; the third gets no answer.
    const queued = await Promise.all([1, 2].map(() => connectNative(loopbackAddress(port), 1_000)))
    const third = connectNative(loopbackAddress(port), 50)
    await expect(third).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    for (const socket of queued) socket.destroy()
    await stuck.terminate()
  })
})

describe('listening', () => {
  test('given a place where somebody listens, then it is EADDRINUSE', async () => {
    server = await listenNative(unixAddress(path))
    await expect(listenNative(unixAddress(path))).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
