import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { createSettler } from '#devnet/actors/settle-games'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { delayedWETHAbi } from '#fixtures/contracts/DelayedWETH.abi'
import { type ActorWorld, actorWorld } from './actor-world.ts'
import { hideFunctions } from './hide-functions.ts'

const day = 86_400
let world: ActorWorld

/** What the development deployment of Base's contracts has not either. */
beforeAll(async () => {
  world = await actorWorld()
  const { contracts } = world.stack
  await hideFunctions(world.stack, {
    address: contracts.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    hidden: ['anchorGame', 'isGameClaimValid'],
  })
  await hideFunctions(world.stack, {
    address: contracts.delayedWETH,
    abi: delayedWETHAbi,
    hidden: ['delay', 'withdrawals'],
  })
})
afterAll(() => world.stack.stop())

test('given a registry without an anchor game and a WETH without a list, then games are made, resolved and paid', async () => {
  const { l1, l2, prover, factory, gameType, logger, stack, player } = world
  const wallet = world.wallet(roleKeys.proposer)
  const actor = createProposer({ l1, rollup: l2, prover, wallet, factory, gameType, logger })
  const games: Hex[] = []
  for (const block of [15n, 30n]) {
    const outcome = await actor.round()
    expect(outcome).toMatchObject({ kind: 'created', block })
    games.push((outcome as { game: Hex }).game)
  }
  expect(await player.read(games[0]!, 'parentAddress')).toMatch(
    new RegExp(stack.contracts.anchorStateRegistry, 'i'),
  )

  const settler = createSettler({ l1, wallet, factory, gameType, logger })
  expect(await settler.round()).toMatchObject({ kind: 'nothing to settle' })
  await player.wait(5 * day)
  const moves = []
  for (;;) {
    const outcome = await settler.round()
    if (outcome.kind === 'nothing to settle') break
    moves.push(outcome.move)
    await player.wait(61)
  }
  // No closeGame: a registry that cannot say which game is valid takes none as its anchor.
  expect(moves.sort()).toEqual([
    'claimCredit',
    'claimCredit',
    'claimCredit',
    'claimCredit',
    'resolve',
    'resolve',
  ])
  expect(await stack.client.getBalance({ address: stack.contracts.delayedWETH })).toBe(0n)
})
