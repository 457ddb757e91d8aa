import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import type { JsonRpcServer } from './json-rpc-server.ts'

let server: JsonRpcServer
let socket: Socket
let release: () => void

afterEach(async () => {
  socket.destroy()
  await server.close()
})

async function open(): Promise<void> {
  const waiting = new Promise<void>((resolve) => {
    release = resolve
  })
  const methods = {
    echo: (params: unknown) => params,
    later: async (params: unknown) => params,
    wait: () => waiting.then(() => 'waited'),
  }
  server = createJsonRpcServer({ methods, clock: systemClock })
  socket = connect(await server.listen({ port: 0 }), '127.0.0.1')
  await once(socket, 'connect')
}

function body(method: string, id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: ['é', id] })
}

function request(method: string, id: number, ...fields: string[]): string {
  return post(body(method, id), ...fields)
}

function post(text: string, ...fields: string[]): string {
  const length = `content-length: ${Buffer.byteLength(text)}`
  const lines = ['host: localhost', 'content-type: application/json', length, ...fields]
  return `POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}

/** Reads until a text has come; gives all that came. */
async function readUntil(text: string): Promise<string> {
  let read = ''
  while (!read.includes(text)) {
    const [chunk] = await once(socket, 'data')
    read += chunk
  }
  return read
}

const answerTo = (id: number) => `"id":${id},"result":["é",${id}]}`

describe('the fast lane', () => {
  test('given many calls at once, of which some take time, then all are answered in their order', async () => {
    await open()
    const ids = Array.from({ length: 20 }, (_, id) => id + 1)
    socket.write(ids.map((id) => request(id % 3 ? 'echo' : 'later', id)).join(''))
    const text = await readUntil(answerTo(20))
    const found = [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
    expect(found).toEqual(ids)
  })

  test('given bodies of more lengths than a connection remembers, again and again, then each call is answered as it is', async () => {
    await open()
    const ids = Array.from({ length: 50 }, (_, id) => id)
    for (let round = 0; round < 3; round++) {
      for (const id of ids) {
        // The length of the body is all in which their heads differ.
        socket.write(post(body('echo', id) + ' '.repeat(id)))
        expect(await readUntil('}')).toContain(answerTo(id))
      }
    }
  })

  test('given another name or path after calls that were answered, then what they say counts', async () => {
    await open()
    socket.write(request('echo', 1))
    expect(await readUntil(answerTo(1))).toMatch(/^HTTP\/1.1 200/)
    socket.write(request('echo', 1).replace('POST / ', 'POST /elsewhere '))
    expect(await readUntil('served at this path')).toMatch(/^HTTP\/1.1 404/)
    socket.write(request('echo', 1).replace('host: localhost', 'host: evil.example'))
    expect(await readUntil('HOST_REFUSED')).toMatch(/^HTTP\/1.1 403/)
  })

  test('given the bytes of plain calls in any pieces, then every call is answered', async () => {
    for (const cut of [1, 20, 70, 100, 130]) {
      await open()
      const bytes = Buffer.from(request('echo', 1) + request('later', 2))
      socket.write(bytes.subarray(0, cut))
      socket.setNoDelay(true)
      await new Promise((resolve) => setImmediate(resolve))
      socket.write(bytes.subarray(cut))
      expect(await readUntil(answerTo(2))).toContain(answerTo(1))
      socket.destroy()
      await server.close()
    }
  })

  test('given a request for node:http amid plain ones, then each is answered in its place', async () => {
    await open()
    const text = body('echo', 2)
    const chunked = [
      'POST / HTTP/1.1',
      'host: localhost',
      'content-type: application/json',
      'transfer-encoding: chunked',
      '',
      Buffer.byteLength(text).toString(16),
      text,
      '0',
      '',
      '',
    ].join('\r\n')
    const refused = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'
    socket.write(request('later', 1) + chunked + request('echo', 3) + refused)
    const read = await readUntil('Only POST is served here.')
    expect([1, 2, 3].map((id) => read.indexOf(answerTo(id)))).toEqual(
      [1, 2, 3].map((id) => read.indexOf(answerTo(id))).toSorted((a, b) => a - b),
    )
    expect(read.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
    expect(read).toContain('HTTP/1.1 405')
  })

  test('given a name that is not ours, then the call is refused as by node:http', async () => {
    await open()
    socket.write(request('echo', 1).replace('host: localhost', 'host: evil.example'))
    expect(await readUntil('HOST_REFUSED')).toContain('HTTP/1.1 403')
  })

  test('given two lengths that differ, then nobody is smuggled in', async () => {
    await open()
    socket.write(request('echo', 1, 'content-length: 3'))
    const read = await readUntil('\r\n\r\n')
    expect(read).toContain('HTTP/1.1 400')
    expect(read).not.toContain('"result"')
  })

  test('given a server that closes, when a call is under way, then it is answered and the rest is not', async () => {
    await open()
    socket.write(request('echo', 0) + request('wait', 1) + request('echo', 2))
    await readUntil(answerTo(0))
    const closed = server.close()
    setImmediate(release)
    const read = await readUntil('waited')
    expect(read).toContain('connection: close')
    await once(socket, 'close')
    await closed
    expect(read).not.toContain(answerTo(2))
  })

  test('given a caller who never reads, then not more is done for it than it can hold', async () => {
    let calls = 0
    server = createJsonRpcServer({
      methods: {
        long: () => {
          calls++
          return 'x'.repeat(4_000_000)
        },
        ping: () => 'pong',
      },
      clock: systemClock,
    })
    const port = await server.listen({ port: 0 })
    socket = connect(port, '127.0.0.1')
    socket.pause()
    await once(socket, 'connect')
    socket.write(Array.from({ length: 50 }, (_, id) => request('long', id)).join(''))
    // Two more connections take their turns after it, so it has had all it can have.
    for (let i = 0; i < 2; i++) {
      const other = connect(port, '127.0.0.1')
      other.write(request('ping', 1))
      await once(other, 'data')
      other.destroy()
    }
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(5)
  })
})
