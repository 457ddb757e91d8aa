import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { playGameLife } from './play-game-life.ts'

test('given a devnet, when a game is played by commands alone, then it becomes the anchor and its bond is paid', async () => {
  await using devnet = await devnetWithBlocks(10)
  const { description } = devnet
  const { game, steps } = await playGameLife(description)
  const client = createPublicClient({ transport: http(description.l1RpcUrl) })
  const view = { address: game, abi: aggregateVerifierAbi } as const
  // DEFENDER_WINS
  expect(await client.readContract({ ...view, functionName: 'status' })).toBe(2)
  expect(await client.readContract({ ...view, functionName: 'bondClaimed' })).toBe(true)
  expect(await client.getBalance({ address: game })).toBe(0n)
  const recipient = await client.readContract({ ...view, functionName: 'bondRecipient' })
  expect(recipient.toLowerCase()).toBe(roleKeys.proposer.address)
  const anchor = await client.readContract({
    address: description.contracts.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    functionName: 'anchorGame',
  })
  expect(anchor.toLowerCase()).toBe(game)
  for (const { args, outcome } of steps) {
    const isActor = args[0] === 'actors'
    if (isActor && args[1] === 'proposer') expectFitsSchema('actors proposer', outcome.stdout)
    if (isActor && args[1] === 'challenger') expectFitsSchema('actors challenger', outcome.stdout)
  }
  const used = new Set(steps.map(({ args }) => args.slice(0, 2).join(' ')))
  expect([...used].toSorted()).toEqual([
    'actors challenger',
    'actors proposer',
    'prove --from',
    'scenario run',
  ])
})
