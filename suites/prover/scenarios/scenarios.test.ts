import { pino } from 'pino'
import { createPublicClient, type Hex, http } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createChallenger } from '#devnet/actors/challenger/create-challenger'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { createScenarioContext, type ScenarioContext } from '#devnet/scenarios/scenario-context'
import { scenarios } from '#devnet/scenarios/scenarios'
import type { Devnet } from '#devnet/start-devnet'
import { gameType } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { systemClock } from '#protocol/clock/system-clock'
import { expectFitsSchema } from '#suites/house/docs/expect-fits-schema'
import { rootAt } from '../actors/create-bad-game.ts'
import { devnetWithBlocks } from './devnet-with-blocks.ts'
import { runCommand } from './run-command.ts'

const clock = systemClock
const logger = pino({ level: 'silent' })

interface Made {
  game: { address: Hex; roots: Hex[]; l2Block: bigint; l1Head: Hex }
  badIndex: number
  correctRoot: Hex
  now: object
}

let devnet: Devnet
let context: ScenarioContext
let snapshot: unknown

beforeAll(async () => {
  devnet = await devnetWithBlocks(20)
  context = createScenarioContext({ ...devnet.description, clock, logger })
})
afterAll(() => devnet?.stop())
// Every situation begins on the same L1; the L2 blocks are on it already.
beforeEach(async () => {
  snapshot = await context.rpc.request('evm_snapshot', [])
})
afterEach(() => context.rpc.request('evm_revert', [snapshot]))

const play = async (name: string) =>
  (await scenarios.find((each) => each.name === name)!.play(context)) as unknown as Made

const l1 = () => createPublicClient({ transport: http(devnet.description.l1RpcUrl), cacheTime: 0 })
const view = (address: Hex) => ({ address, abi: aggregateVerifierAbi }) as const

function actor(role: 'proposer' | 'challenger') {
  const options = {
    l1: context.rpc,
    prover: httpRpcClient(devnet.description.proverUrl),
    wallet: l1Wallet({
      rpc: context.rpc,
      ...roleKeys[role],
      clock,
      signal: new AbortController().signal,
      nextBlock: () => devnet.l1.mine(),
    }),
    factory: devnet.description.contracts.disputeGameFactory,
    gameType,
    finality: 'safe',
    ...{ clock, logger },
  } as const
  if (role === 'challenger')
    return createChallenger({ ...options, l2: httpRpcClient(devnet.description.rpcUrl) })
  return createProposer({ ...options, rollup: httpRpcClient(devnet.description.rollupRpcUrl) })
}

/** What the chain has at the end of each interval. */
const truth = (...blocks: number[]) =>
  Promise.all(blocks.map((block) => rootAt(devnet.description.rollupRpcUrl, block)))

test('given honest-game, then its roots are true and the challenger sends nothing', async () => {
  const { game } = await play('honest-game')
  expect(game.roots).toEqual(await truth(5, 10))
  // How many it looks at again is L1's to say: a game counts as seen once its block is final.
  expect(await actor('challenger').round()).toMatchObject({ kind: 'watching' })
})

describe('given bad-root, then one root is wrong and the challenger refutes it', () => {
  test.each([
    ['first', 0, [5, 10]],
    ['middle', 2, [2, 4, 6, 8, 10]],
    ['last', 1, [5, 10]],
  ] as const)('given it is the %s root, then it has index %i', async (place, index, blocks) => {
    const { game, badIndex, correctRoot } = await play(`bad-root-${place}`)
    const roots = await truth(...blocks)
    expect(badIndex).toBe(index)
    expect(correctRoot).toBe(roots[index])
    expect(game.roots.map((root, at) => root === roots[at])).toEqual(
      roots.map((_, at) => at !== index),
    )
    const expected = { kind: 'nullified', game: game.address, index, root: correctRoot }
    expect(await actor('challenger').round()).toMatchObject(expected)
  })
})

test('given two-bad-roots, then the first of them is refuted, and no other can be', async () => {
  const { game, badIndex, correctRoot } = await play('two-bad-roots')
  const roots = await truth(2, 4, 6, 8, 10)
  expect(game.roots.map((root, at) => root === roots[at])).toEqual([true, false, true, false, true])
  expect(badIndex).toBe(1)
  expect(correctRoot).toBe(roots[1])
  const expected = { kind: 'nullified', game: game.address, index: 1, root: roots[1] }
  expect(await actor('challenger').round()).toMatchObject(expected)
})

test('given scenario run, then standard error tells what takes its time, and standard output has its answer alone', async () => {
  const ran = await runCommand(devnet.description, ['scenario', 'run', 'bad-root-first'])
  expect(ran.exitCode).toBe(0)
  expectFitsSchema('scenario run', ran.stdout)
  const { scenario, game } = JSON.parse(ran.stdout)
  expect(scenario).toBe('bad-root-first')
  expect(ran.stderr).toContain(
    `creating a game up to L2 block ${game.l2Block} with a forged proof\n`,
  )
})

test('given more-roots, then new games have them, and the challenger refutes an older one by its own interval', async () => {
  const bad = await play('bad-root-first')
  expect(await play('more-roots')).toMatchObject({ roots: { before: 2, now: 5 } })
  const { game } = await play('honest-game')
  expect(game.roots).toEqual(await truth(2, 4, 6, 8, 10))
  const root = (await truth(5))[0]
  const expected = { kind: 'nullified', game: bad.game.address, index: 0, root }
  expect(await actor('challenger').round()).toMatchObject(expected)
})

test('given wrong-interval, then the claim is true and the challenger refutes the first root', async () => {
  const { game } = await play('wrong-interval')
  expect(game.roots).toEqual(await truth(4, 10))
  const expected = { kind: 'nullified', game: game.address, index: 0 }
  expect(await actor('challenger').round()).toMatchObject(expected)
})

test('given false-parent, then the child starts from a root that no block has and the challenger refutes the parent', async () => {
  const { parent, game, correctRoot } = (await play('false-parent')) as Made & {
    parent: Made['game'] & { rootClaim: Hex }
  }
  expect(parent.roots[0]).toBe((await truth(5))[0])
  expect([correctRoot]).toEqual(await truth(10))
  expect(parent.rootClaim).not.toBe(correctRoot)
  const start = { ...view(game.address), functionName: 'startingOutputRoot' } as const
  expect(await l1().readContract(start)).toEqual([parent.rootClaim, 10n])
  const expected = { kind: 'nullified', game: parent.address, index: 1, root: correctRoot }
  expect(await actor('challenger').round()).toMatchObject(expected)
})

test('given unregistered-signer, then the host proves nothing', async () => {
  const [signer] = ((await play('unregistered-signer')) as unknown as { signers: Hex[] }).signers
  expect(signer).toBe(devnet.description.enclaves[0]!.signer)
  await expect(actor('proposer').round()).rejects.toThrow('no valid signer')
})

test('given rotation-begins, then signers of both images are valid and games go on (ROT-02)', async () => {
  const { old, next } = (await play('rotation-begins')) as unknown as {
    old: { signers: [Hex] }
    next: { imageHash: Hex; signer: { address: Hex } }
  }
  const registry = {
    address: devnet.description.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
  } as const
  for (const signer of [old.signers[0], next.signer.address]) {
    const args = [signer] as const
    expect(await l1().readContract({ ...registry, functionName: 'isValidSigner', args })).toBe(true)
  }
  expect(await actor('proposer').round()).toMatchObject({ kind: 'created' })
})

test('given rotation-overlap, then the old game is open and only the new image counts', async () => {
  const made = (await play('rotation-overlap')) as unknown as Made & {
    old: { imageHash: Hex; signers: [Hex] }
    next: { imageHash: Hex; signer: { address: Hex }; implementation: Hex }
  }
  const { old, next, game } = made
  const imageOf = (address: Hex) =>
    l1().readContract({ ...view(address), functionName: 'TEE_IMAGE_HASH' })
  expect(await imageOf(game.address)).toBe(old.imageHash)
  expect(await imageOf(next.implementation)).toBe(next.imageHash)
  expect(await l1().readContract({ ...view(game.address), functionName: 'status' })).toBe(0)
  const isValid = (signer: Hex) =>
    l1().readContract({
      address: devnet.description.contracts.teeProverRegistry,
      abi: teeProverRegistryAbi,
      functionName: 'isValidSigner',
      args: [signer],
    })
  expect(await isValid(old.signers[0])).toBe(false)
  expect(await isValid(next.signer.address)).toBe(true)
  await expect(actor('proposer').round()).rejects.toThrow('no valid signer')
})

test('given nullified-verifier, then the proposer stops proposing', async () => {
  await play('nullified-verifier')
  const { teeVerifier: address } = devnet.description.contracts
  const verifier = { address, abi: teeVerifierAbi, functionName: 'nullified' } as const
  expect(await l1().readContract(verifier)).toBe(true)
  const reason = expect.stringContaining('nullified')
  expect(await actor('proposer').round()).toMatchObject({ kind: 'blocked', reason })
})

test('given invalid-parent, then nobody builds on it and the child is lost', async () => {
  const { game } = await play('invalid-parent')
  expect(game.roots).toEqual(await truth(15, 20))
  // How many it looks at again is L1's to say: a game counts as seen once its block is final.
  expect(await actor('challenger').round()).toMatchObject({ kind: 'watching' })
  const call = { ...view(game.address), functionName: 'resolve' } as const
  const { result } = await l1().simulateContract(call)
  // CHALLENGER_WINS, long before its time is over.
  expect(result).toBe(1)
})

test('given expired-origin, then the old proof is refused, and a new one makes the game', async () => {
  const { origin, revert } = (await play('expired-origin')) as unknown as {
    origin: { number: bigint }
    revert: string
  }
  expect(revert).toMatch(new RegExp(`^L1OriginTooOld\\(${origin.number}, \\d+\\)$`))
  expect(await actor('proposer').round()).toMatchObject({ kind: 'created', block: 10n })
})

test("given stale-l1-head, then the game's own head refutes it", async () => {
  const { game } = await play('stale-l1-head')
  const { number } = await l1().getBlock({ blockHash: game.l1Head })
  expect((await l1().getBlockNumber({ cacheTime: 0 })) - number).toBeGreaterThan(256n)
  const expected = { kind: 'nullified', game: game.address, index: 0 }
  expect(await actor('challenger').round()).toMatchObject(expected)
})

test('given time-passes and an open game, then L1 stands where it can be resolved', async () => {
  const { game } = await play('honest-game')
  const passed = (await play('time-passes')) as unknown as { allows: string; seconds: bigint }
  expect(passed.allows).toBe('resolve')
  expect(passed.seconds).toBeGreaterThan(4n * 86_400n)
  const { result } = await l1().simulateContract({
    ...view(game.address),
    functionName: 'resolve',
  })
  expect(result).toBe(2)
})

test('given time-passes and no game, then it says what to do first', async () => {
  await expect(play('time-passes')).rejects.toMatchObject({ code: 'NOTHING_TO_WAIT_FOR' })
})
