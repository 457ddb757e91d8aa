import { createPublicClient, createTestClient, http, type PublicClient, webSocket } from 'viem'
import { expect, test } from 'vitest'
import { startDevnet } from '#devnet/index'
import { closeSocket } from './close-socket.ts'
import { onEachBlockUntil } from './on-each-block-until.ts'

test('given a state cheat, then `safe` stands still before the block that L1 does not give', async () => {
  const times = { blockTime: 1, l1BlockTime: 1, batchInterval: 500 }
  await using devnet = await startDevnet({ ...times, enclaves: 0, logLevel: 'silent' })
  const { rpcUrl, wsUrl } = devnet.description
  const client = createPublicClient({ transport: webSocket(wsUrl) }) as PublicClient
  const cheats = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  const number = async (blockTag: 'latest' | 'safe') => (await client.getBlock({ blockTag })).number

  await onEachBlockUntil(client, async () => (await number('safe')) >= 1n)
  const address = '0x00000000000000000000000000000000000000aa'
  await cheats.setBalance({ address, value: 7n })
  expect(await client.getBalance({ address })).toBe(7n)
  expect(await client.getBalance({ address, blockTag: 'pending' })).toBe(7n)

  await onEachBlockUntil(client, async () => devnet.node.chain.divergence() !== undefined)
  const { since } = devnet.node.chain.divergence()!
  await onEachBlockUntil(client, async () => (await number('latest')) >= since + 5n)
  expect(await number('safe')).toBe(since - 1n)
  await closeSocket(client)
})
