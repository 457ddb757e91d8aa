import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type RunningNodeRpc, startNodeRpc } from './start-node-rpc.ts'
import { CONFIG, createTestNode } from './testing/test-node.ts'

/** What the worker threads of calls wait for, on a machine's clock. */
const WARM_UP_DELAY = 3_000

let threads = 0
const count = () => {
  threads += 1
}
process.on('worker', count)

let node: RunningNodeRpc | undefined
afterEach(async () => {
  await node?.stop()
  threads = 0
})

async function startAt(machine: VirtualClock): Promise<RunningNodeRpc> {
  const { chain } = await createTestNode()
  node = await startNodeRpc({ chain, config: CONFIG, clock: systemClock, machine, port: 0 })
  return node
}

test('given nobody who asks, then no thread of calls is there, however long; the first caller starts one', async () => {
  const machine = new VirtualClock()
  const { url } = await startAt(machine)
  await machine.advance(WARM_UP_DELAY * 100)
  expect(threads).toBe(0)
  await httpRpcClient(url).request('eth_chainId', [])
  expect(threads).toBe(1)
  await httpRpcClient(url).request('eth_chainId', [])
  expect(threads).toBe(1)
})

test('given a WebSocket that is opened, then it counts as a caller', async () => {
  const machine = new VirtualClock()
  const { wsUrl } = await startAt(machine)
  await machine.advance(WARM_UP_DELAY)
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  expect(threads).toBe(1)
  socket.close()
})

test('given a devnet that is starting, when its own parts ask, then no thread is in their way', async () => {
  const { url } = await startAt(new VirtualClock())
  await httpRpcClient(url).request('eth_chainId', [])
  expect(threads).toBe(0)
})
