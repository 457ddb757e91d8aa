import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { ExchangeRecorder } from './exchange-recorder.ts'
import { openSubscriptionClient } from './subscription-client.ts'

/** A server that says something to each message, or nothing. */
async function meet(say: (text: string) => string | undefined) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  const came: string[] = []
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      came.push(String(data))
      const answer = say(String(data))
      if (answer !== undefined) socket.send(answer)
    }),
  )
  await once(server, 'listening')
  const clock = new VirtualClock()
  const client = await openSubscriptionClient({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorder: new ExchangeRecorder(clock),
    clock,
    signal: new AbortController().signal,
  })
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return { client, clock, came }
}

test('given a call whose answer has no id, then it fails at once', async () => {
  const { client } = await meet(
    () => '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}',
  )
  await expect(client.call('eth_any')).rejects.toMatchObject({ expected: 'an answer with id 1' })
})

test('given a call that is never answered, then it fails in half a minute', async () => {
  const { client, clock } = await meet(() => undefined)
  const called = expect(client.call('eth_any')).rejects.toMatchObject({
    expected: 'an answer to eth_any',
  })
  await clock.advance(30_000)
  await called
})

test('given text that is no call, then what it came to is given, whatever its id', async () => {
  const { client, came } = await meet(() => '[{"id":"7"}]')
  expect(await client.post('{')).toEqual([{ id: '7' }])
  expect(came).toEqual(['{'])
})

/** A notification, as a server pushes it. */
const notification = (result: unknown) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: '0x1', result },
  })

test('given what is waited for that breaks on a message, then its waiter is told, and the line goes on', async () => {
  const { client } = await meet((text) => notification(text === 'nothing' ? null : text))
  const broken = client.until((all) =>
    all.some(({ result }) => (result as { hash?: string }).hash === '0x1'),
  )
  const heard = client.until((all) => all.length > 1)
  void client.post('nothing').catch(() => {})
  await expect(broken).rejects.toThrow(TypeError)
  void client.post('more').catch(() => {})
  await expect(heard).resolves.toBeUndefined()
})

test('given a line that closes under a call, then the call fails at once, and so does the next', async () => {
  const { client } = await meet(() => undefined)
  const called = client.call('eth_any')
  client.close()
  await expect(called).rejects.toMatchObject({ actual: 'closed by the target' })
  await expect(client.call('eth_any')).rejects.toMatchObject({ actual: 'closed by the target' })
})
