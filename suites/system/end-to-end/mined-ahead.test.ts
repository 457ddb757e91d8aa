import { createPublicClient, createTestClient, http, type PublicClient, webSocket } from 'viem'
import { expect, test } from 'vitest'
import { startDevnet } from '#devnet/index'
import { closeSocket } from './close-socket.ts'
import { onEachBlockUntil } from './on-each-block-until.ts'

test('given 2,000 blocks mined at once, further than L1 can follow, then the chain says where it left L1', async () => {
  const times = { blockTime: 1, l1BlockTime: 1, batchInterval: 500 }
  await using devnet = await startDevnet({ ...times, enclaves: 0, logLevel: 'silent' })
  const { rpcUrl, wsUrl } = devnet.description
  const client = createPublicClient({ transport: webSocket(wsUrl) }) as PublicClient
  const cheats = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 60_000 }) })
  await cheats.mine({ blocks: 2_000 })

  await onEachBlockUntil(client, async () => devnet.node.chain.divergence() !== undefined)
  const { since, cause } = devnet.node.chain.divergence()!
  expect(cause).toBe('sequencer drift')
  // OP specs, "Batch Queue": empty blocks stay derivable up to the drift, 1,800 s after their origin.
  const first = await client.getBlock({ blockNumber: since })
  const before = await client.getBlock({ blockNumber: since - 1n })
  const l1 = createPublicClient({ transport: http(devnet.description.l1RpcUrl) })
  const head = await l1.getBlock()
  expect(first.timestamp - head.timestamp).toBeGreaterThan(1_700n)
  expect(first.timestamp - before.timestamp).toBe(1n)
  await onEachBlockUntil(client, async () => {
    const { number } = await client.getBlock({ blockTag: 'safe' })
    return number === since - 1n
  })
  await closeSocket(client)
})
