import { createPublicClient, SocketClosedError, TimeoutError, webSocket } from 'viem'
import { expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { RpcConnection } from '#devnet/base/json-rpc/json-rpc-server'
import { systemClock } from '#protocol/clock/system-clock'
import { connectInProcess } from './connect-in-process.ts'

let clients = 0

/** viem's own transport, at an address where nobody listens. */
function connected({ timeout = 10_000 } = {}) {
  const subscribers: RpcConnection[] = []
  const server = createJsonRpcServer({
    methods: {
      eth_chainId: () => '0x2a',
      eth_subscribe(_, { connection }) {
        if (connection) subscribers.push(connection)
        return '0x1'
      },
      eth_unsubscribe: () => true,
      eth_blockNumber: () => new Promise(() => {}),
    },
    clock: systemClock,
  })
  const url = `ws://127.0.0.1:9/${++clients}`
  connectInProcess(url, (_, peer) => server.connect('/', peer))
  const transport = webSocket(url, { reconnect: false, retryCount: 0, timeout })
  return { server, client: createPublicClient({ transport }), subscribers }
}

test('given an address where nobody listens, when viem asks there, then this process answers', async () => {
  const { client } = connected()
  expect(await client.getChainId()).toBe(42)
})

test('given a subscription, when something is told, then viem hears it until it ends that', async () => {
  const { client, subscribers } = connected()
  const heard: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const { unsubscribe } = await client.transport.subscribe({
    params: ['newHeads'],
    onData(data) {
      heard.push(data.result)
      resolve()
    },
  })
  const tell = (result: string) =>
    subscribers[0]!.notify('eth_subscription', { subscription: '0x1', result })
  tell('0x01')
  await promise
  await unsubscribe()
  tell('0x02')
  await client.getChainId()
  expect(heard).toEqual(['0x01'])
})

test('given a call that waits, when the server closes, or nothing comes in time, then viem says which', async () => {
  const { client, server } = connected()
  const waiting = client.getBlockNumber()
  waiting.catch(() => {})
  await client.getChainId()
  await server.close()
  await expect(waiting).rejects.toThrow(SocketClosedError)
  const hasty = connected({ timeout: 1 })
  await expect(hasty.client.getBlockNumber()).rejects.toThrow(TimeoutError)
})
