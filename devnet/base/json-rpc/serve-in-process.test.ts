import { expect, test } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { createJsonRpcServer } from './create-json-rpc-server.ts'
import type { RpcContext } from './json-rpc-server.ts'

/** A server that listens nowhere, and what a caller of this process hears of it. */
function connected(path = '/') {
  const contexts: RpcContext[] = []
  const server = createJsonRpcServer({
    methods: {
      ping: () => 'pong',
      subscribe(_, context) {
        contexts.push(context)
        context.connection?.notify('told', { text: 'first' })
        return 'id'
      },
    },
    clock: systemClock,
  })
  const heard: unknown[] = []
  let wake = () => {}
  const connection = server.connect(path, {
    onMessage: (text) => {
      heard.push(JSON.parse(text))
      wake()
    },
    onClose: () => {
      heard.push('closed')
      wake()
    },
  })
  const ask = (id: number, method: string) =>
    connection.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: [] }))
  const until = async (count: number) => {
    while (heard.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return heard
  }
  return { server, connection, contexts, ask, until }
}

test('given a caller of this process, when it asks, then answers come in their order, and not before it has asked', async () => {
  const { ask, until } = connected()
  ask(1, 'ping')
  ask(2, 'none')
  expect(await until(2)).toMatchObject([
    { id: 1, result: 'pong' },
    { id: 2, error: { code: -32601 } },
  ])
})

test('given a caller that asks again and again, then timers pass meanwhile', async () => {
  const { ask, until } = connected()
  let isDue = false
  const timer = systemClock.after(1, () => {
    isDue = true
  })
  let asked = 0
  while (!isDue) {
    ask(++asked, 'ping')
    await until(asked)
  }
  timer.cancel()
  expect(asked).toBeGreaterThan(0)
})

test('given a subscription, when its caller leaves, then what belongs to it ends, and nothing is told any more', async () => {
  const { ask, until, connection, contexts } = connected()
  let hasEnded = false
  ask(1, 'subscribe')
  expect(await until(2)).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 1, result: 'id' },
      { jsonrpc: '2.0', method: 'told', params: { text: 'first' } },
    ]),
  )
  const [{ signal, connection: own }] = contexts as [RpcContext]
  own?.onClose(() => {
    hasEnded = true
  })
  own?.notify('told', { text: 'too late' })
  connection.close()
  await new Promise(setImmediate)
  expect([signal.aborted, hasEnded, (await until(2)).length]).toEqual([true, true, 2])
})

test('given a server that closes, or a path where nothing is, then the caller hears that', async () => {
  const { server, until } = connected()
  await server.close()
  expect(await until(1)).toEqual(['closed'])
  const elsewhere = connected('/nowhere')
  elsewhere.ask(1, 'ping')
  expect(await elsewhere.until(1)).toEqual(['closed'])
})
