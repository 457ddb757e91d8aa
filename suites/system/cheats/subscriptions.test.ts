import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { userKeys } from '#fixtures/chain/dev-keys'
import { request, startCheatNode } from './cheat-node.ts'

interface Message {
  id?: number
  result?: string
  params?: { subscription: string; result: { removed: boolean; transactionHash: string } }
}

const LOGGER = `0x${'10'.repeat(20)}`

it('given log subscriptions, when the chain is rolled back, then every log comes again as removed', async () => {
  const node = await startCheatNode({ manual: true })
  // LOG0 of nothing.
  await request(node.url, 'anvil_setCode', [LOGGER, '0x5f5fa000'])
  const socket = new WebSocket(node.wsUrl)
  await once(socket, 'open')
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  const call = async (id: number, method: string, params: unknown[] = []) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    while (!messages.some((message) => message.id === id)) await once(socket, 'message')
    return messages.find((message) => message.id === id)!.result!
  }
  const names = {
    [await call(1, 'eth_subscribe', ['logs', {}])]: 'logs',
    [await call(2, 'eth_subscribe', ['pendingLogs', {}])]: 'pendingLogs',
  }
  const send = (id: number) =>
    call(id, 'eth_sendTransaction', [{ from: userKeys[0]!.address, to: LOGGER, gas: '0x186a0' }])
  await send(3)
  await call(4, 'rollbed_flashblock')
  await call(5, 'rollbed_seal')
  await send(6)
  await call(7, 'rollbed_flashblock')
  await call(8, 'anvil_rollback', [1])
  const heard = messages.flatMap(({ params }) =>
    params ? [`${names[params.subscription]} ${params.result.removed}`] : [],
  )
  expect(heard).toEqual([
    'pendingLogs false',
    'logs false',
    'pendingLogs false',
    'pendingLogs true',
    'logs true',
  ])
  socket.close()
  await node.stop()
})
