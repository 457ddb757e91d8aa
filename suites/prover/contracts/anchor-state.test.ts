import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { gamePlayer, registerEnclave, root } from './play-game.ts'
import { type ProofStack, startProofStack } from './proof-stack.ts'

const { proposer } = roleKeys
const stranger = userKeys[9]!

let stack: ProofStack

beforeAll(async () => {
  stack = await startProofStack()
  await registerEnclave(stack)
})

afterAll(() => stack.stop())

const anchors = () => ({
  address: stack.contracts.anchorStateRegistry,
  abi: anchorStateRegistryAbi,
})

test.each([
  ['setRespectedGameType', [1]],
  ['updateRetirementTimestamp', []],
  ['blacklistDisputeGame', [stranger.address]],
] as const)('given anyone but the guardian, then %s is refused', async (functionName, args) => {
  const call = { ...anchors(), functionName, args } as never
  expect(await stack.revertOf(stranger, call)).toBe('AnchorStateRegistry_Unauthorized()')
  expect(await stack.revertOf(stack.owner, call)).toBeUndefined()
})

test('given a game, then it is the anchor when it is final, and none before and none twice', async () => {
  const player = gamePlayer(stack)
  const { address } = await player.create()
  const set = { ...anchors(), functionName: 'setAnchorState', args: [address] } as const
  const refused = 'AnchorStateRegistry_InvalidAnchorGame()'
  expect(await stack.revertOf(stranger, set)).toBe(refused)

  await player.wait(5 * 86_400)
  await stack.send(proposer, { ...player.game(address), functionName: 'resolve', args: [] })
  expect(await stack.revertOf(stranger, set)).toBe(refused)

  await player.wait(61)
  await stack.send(stranger, set)
  const anchor = { ...anchors(), functionName: 'getAnchorRoot' } as const
  expect(await stack.client.readContract(anchor)).toEqual([root(2), 10n])
  expect(await stack.revertOf(stranger, set)).toBe(refused)
})
