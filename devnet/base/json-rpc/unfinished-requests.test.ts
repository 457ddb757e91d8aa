import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '#protocol/clock/system-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const LIMIT = 1_000
const WORDS = `Requests that have not come whole hold ${LIMIT} bytes, and this is the longest.`
const REFUSAL = { code: -32005, message: 'too many large requests at once', data: WORDS }
const call = (length: number) =>
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":["${'x'.repeat(length)}"]}`

async function listening(): Promise<number> {
  const server = createJsonRpcServer({
    methods: { ping: () => 'pong' },
    clock: systemClock,
    webSocket: true,
    maxUnfinishedInAll: LIMIT,
  })
  cleanups.push(() => server.close())
  return await server.listen({ port: 0 })
}

/** A POST of which so many characters are sent. @returns how to send the rest, and what is answered */
async function begin(port: number, body: string, sent: number) {
  const socket = connect(port, '127.0.0.1')
  cleanups.push(() => socket.destroy())
  const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  socket.write(`${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`)
  await new Promise((resolve) => socket.write(body.slice(0, sent), resolve))
  return { finish: () => socket.write(body.slice(sent)), answer: answerOf(socket) }
}

async function answerOf(socket: Socket): Promise<unknown> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => socket.on('close', resolve).on('error', () => {}))
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
}

test('given bodies that do not end, when together they are too long, then the longest is refused in words, and the other goes on', async () => {
  const port = await listening()
  const greedy = await begin(port, call(900), 700)
  const modest = await begin(port, call(500), 400)
  expect(await greedy.answer).toMatchObject({ id: null, error: REFUSAL })
  modest.finish()
  expect(await modest.answer).toMatchObject({ id: 1, result: 'pong' })
})

test('given messages that do not end, when they and bodies are too long together, then the longest is closed in words', async () => {
  const port = await listening()
  const socket = new WebSocket(`ws://127.0.0.1:${port}`)
  cleanups.push(() => socket.terminate())
  await once(socket, 'open')
  const end = once(socket, 'close')
  // What came whole does not count, nor do pings.
  for (let sent = 0; sent < 3; sent++) {
    socket.send(call(800))
    await once(socket, 'message')
    socket.ping('x'.repeat(100))
    await once(socket, 'pong')
  }
  socket.send('x'.repeat(700), { fin: false })
  const modest = await begin(port, call(500), 400)
  const [code, reason] = await end
  expect([code, reason.toString()]).toEqual([1013, WORDS])
  modest.finish()
  expect(await modest.answer).toMatchObject({ id: 1, result: 'pong' })
})
