import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect as connectSocket, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { CONNECT_TIMEOUT, connect } from './connect.ts'
import { type HybridListener, listenHybrid } from './hybrid-listener.ts'

const clock = systemClock
let directory: string
let path: string
let listener: HybridListener | undefined
let vmm: Server | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rb-'))
  path = join(directory, 'vsock')
})
afterEach(async () => {
  await listener?.close()
  vmm?.close()
  listener = vmm = undefined
  rmSync(directory, { recursive: true })
})

const echo = (stream: Duplex) => void stream.pipe(stream)
const listen = (time: Clock = clock, maxConnections?: number) =>
  listenHybrid({ path, port: 8000, clock: time, onConnection: echo, maxConnections })

/** A stand-in for a VMM that answers the command with given bytes. */
async function answering(answer: string | undefined) {
  vmm = createServer((socket) => {
    socket.once('data', () => (answer === undefined ? socket.destroy() : socket.write(answer)))
  })
  await once(vmm.listen(path), 'listening')
}

describe('connecting', () => {
  test('given the listening port, then a stream goes both ways (ENC-PROTO-08)', async () => {
    listener = await listen()
    const stream = await connect({ kind: 'unix', path, port: 8000 }, { clock })
    stream.write('hello')
    const [data] = await once(stream, 'data')
    expect(data.toString()).toBe('hello')
    stream.destroy()
  })

  test('given another port, then it is reset, as AF_VSOCK resets it', async () => {
    listener = await listen()
    await expect(connect({ kind: 'unix', path, port: 8001 }, { clock })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
  })

  test('given a socket that is not there, then it is ENOENT', async () => {
    await expect(connect({ kind: 'unix', path, port: 8000 }, { clock })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })

  test.each([
    ['closes before its answer', undefined, 'ECONNRESET'],
    ['answers something else', 'NO\n', 'EPROTO'],
    ['never ends its line', 'x'.repeat(40), 'EPROTO'],
  ])('given a VMM that %s, then it fails with its own code', async (_what, answer, code) => {
    await answering(answer)
    await expect(connect({ kind: 'unix', path, port: 8000 }, { clock })).rejects.toMatchObject({
      code,
    })
  })

  test('given a silent VMM, then it times out', async () => {
    const received = Promise.withResolvers<void>()
    vmm = createServer((socket) => socket.once('data', () => received.resolve()))
    await once(vmm.listen(path), 'listening')
    const time = new VirtualClock()
    const connecting = connect({ kind: 'unix', path, port: 8000 }, { clock: time, timeout: 5000 })
    connecting.catch(() => {})
    await received.promise
    await time.advance(5000)
    await expect(connecting).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  })

  test('given payload that follows the answer in the same packet, then it is taken', async () => {
    await answering('OK 1073741824\nearly')
    const stream = await connect({ kind: 'unix', path, port: 8000 }, { clock })
    const [data] = await once(stream, 'data')
    expect(data.toString()).toBe('early')
    stream.destroy()
  })
})

describe('listening', () => {
  const send = async (bytes: string) => {
    const socket = connectSocket(path)
    socket.on('error', () => {})
    socket.write(bytes)
    const received: Buffer[] = []
    socket.on('data', (chunk) => received.push(chunk))
    await once(socket, 'close')
    return Buffer.concat(received).toString()
  }

  test.each(['CONNECT\n', 'CONNECT x\n', 'GET / HTTP/1.1\n', 'x'.repeat(33), 'CONNECT 8001\n'])(
    'given %j, then it closes without a byte',
    async (command) => {
      listener = await listen()
      expect(await send(command)).toBe('')
    },
  )

  test('given a command in any letter case with payload behind it, then it is taken', async () => {
    listener = await listen()
    const socket = connectSocket(path)
    socket.write('connect  8000 \npayload')
    let received = ''
    for await (const chunk of socket) {
      received += chunk
      if (received.endsWith('payload')) break
    }
    expect(received).toMatch(/^OK \d+\npayload$/)
  })

  /** A connection that has said nothing yet, and the listener's time. */
  async function silentPeer() {
    const time = new VirtualClock()
    const accepted = Promise.withResolvers<void>()
    listener = await listen({
      now: () => time.now(),
      after: (delay, action) => {
        accepted.resolve()
        return time.after(delay, action)
      },
    })
    const socket = connectSocket(path)
    await accepted.promise
    return { time, socket }
  }

  test('given a peer that says nothing for a minute, then it is dropped', async () => {
    const { time, socket } = await silentPeer()
    const closed = once(socket, 'close')
    await time.advance(60_000)
    await closed
  })

  test('given a peer that is as slow as a host may be, then its command is taken', async () => {
    const { time, socket } = await silentPeer()
    const answer = Promise.race([once(socket, 'data'), once(socket, 'close')])
    await time.advance(CONNECT_TIMEOUT)
    socket.write('CONNECT 8000\n')
    expect(String(await answer)).toMatch(/^OK \d+\n$/)
    socket.destroy()
  })

  test('given more connections than it may hold, then they are refused', async () => {
    listener = await listen(clock, 1)
    const first = await connect({ kind: 'unix', path, port: 8000 }, { clock })
    await expect(connect({ kind: 'unix', path, port: 8000 }, { clock })).rejects.toMatchObject({
      code: 'ECONNRESET',
    })
    first.destroy()
  })

  test('when it closes, then no socket file and no open connection is left', async () => {
    listener = await listen()
    const stream = await connect({ kind: 'unix', path, port: 8000 }, { clock })
    stream.resume()
    const ended = once(stream, 'end')
    await listener.close()
    await ended
    expect(existsSync(path)).toBe(false)
  })
})
