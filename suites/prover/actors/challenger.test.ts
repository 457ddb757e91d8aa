import { concatHex, type Hex, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ChallengerOptions,
  createChallenger,
} from '#devnet/actors/challenger/create-challenger'
import { createProposer } from '#devnet/actors/proposer/create-proposer'
import { createSettler } from '#devnet/actors/settle-games'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { root } from '../contracts/play-game.ts'
import { type ActorWorld, actorWorld, badRoot } from './actor-world.ts'
import { scriptedL2 } from './scripted-l2.ts'

const day = 86_400
const { challenger, proposer } = roleKeys

let world: ActorWorld
let clock: VirtualClock

beforeAll(async () => {
  world = await actorWorld()
})
afterAll(() => world.stack.stop())
beforeEach(() => {
  clock = new VirtualClock()
  return world.stack.rewindPoint()
})
afterEach(() => world.reset())

function start(overrides: Partial<ChallengerOptions> = {}) {
  const { l1, l2, prover, factory, gameType, logger } = world
  return createChallenger({
    l1,
    l2,
    prover,
    wallet: world.wallet(challenger),
    factory,
    gameType,
    clock,
    logger,
    ...overrides,
  })
}

/** A game whose roots are wrong from an index on. */
function badGame(index: number) {
  const roots = world.honestRoots(0).map((each, at) => (at < index ? each : root(at)))
  return world.create({ roots })
}

/** All that is on L1 now cannot be taken back any more. */
async function finalizeL1() {
  for (let block = 0; block < 10; block++) await world.stack.l1.mine()
}

const isNullified = () =>
  world.stack.client.readContract({
    address: world.stack.contracts.teeVerifier,
    abi: teeVerifierAbi,
    functionName: 'nullified',
  })

describe('given a game with a wrong root, when the challenger goes round', () => {
  test.each([
    ['first', 0],
    ['middle', 1],
    ['last', 2],
  ])('given a wrong %s root, then it nullifies at index %i (PIPE-26)', async (_, index) => {
    const { address } = await badGame(index)
    const outcome = await start().round()
    const truth = world.l2.root(5 * (index + 1))
    expect(outcome).toMatchObject({ kind: 'nullified', index, root: truth })

    const l1Head = await world.player.read(address, 'l1Head')
    const origin = await world.stack.client.getBlock({ blockHash: l1Head as Hex })
    // 45: the game's own L1 head, one interval, and the sender's own address.
    expect(world.prover.requests).toEqual([
      {
        l1_head: l1Head,
        l1_head_number: Number(origin.number),
        agreed_l2_head_hash: world.l2.block(5 * index).hash,
        agreed_l2_output_root: world.l2.root(5 * index),
        claimed_l2_output_root: truth,
        claimed_l2_block_number: 5 * (index + 1),
        proposer: challenger.address,
        intermediate_block_interval: 5,
        image_hash: `0x${'1a'.repeat(32)}`,
      },
    ])
    const { transaction } = outcome as { transaction: Hex }
    const { logs } = await world.stack.client.getTransactionReceipt({ hash: transaction })
    const [event] = parseEventLogs({ abi: aggregateVerifierAbi, eventName: 'Nullified', logs })
    expect(event?.args).toMatchObject({
      intermediateRootIndex: BigInt(index),
      intermediateRoot: truth,
    })
    expect(await isNullified()).toBe(true)
  })

  test('given several roots of which only a middle one is wrong, then the first difference counts', async () => {
    const [first, , last] = world.honestRoots(0)
    await world.create({ roots: [first!, badRoot, last!] })
    expect(await start().round()).toMatchObject({ kind: 'nullified', index: 1 })
  })

  test('given that somebody nullified it before, then there is nothing left to do', async () => {
    await badGame(1)
    await start().round()
    world.prover.requests.length = 0
    expect(await start().round()).toMatchObject({ kind: 'watching' })
    expect(world.prover.requests).toEqual([])
  })

  test('given that L1 takes the dispute back, then it is made again; and once it is final, the game is forgotten', async () => {
    await badGame(1)
    const actor = start()
    const { client } = world.stack
    const before = await client.request({ method: 'evm_snapshot' } as never)
    expect(await actor.round()).toMatchObject({ kind: 'nullified' })
    await client.request({ method: 'evm_revert', params: [before] } as never)
    expect(await isNullified()).toBe(false)
    await clock.advance(5_000)
    expect(await actor.round()).toMatchObject({ kind: 'nullified' })
    expect(await isNullified()).toBe(true)

    await clock.advance(10_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    await finalizeL1()
    await clock.advance(60_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 0 })
  })

  test('then one scan finds it among honest ones, however they are ordered', async () => {
    await world.create()
    const bad = await badGame(2)
    await world.create({ roots: [...world.honestRoots(0).slice(0, 2), root(9)] })
    expect(await start().round()).toMatchObject({
      kind: 'nullified',
      game: bad.address.toLowerCase(),
    })
  })
})

describe('given an honest game, when the challenger goes round', () => {
  test('then it asks for nothing, sends nothing and forgets it', async () => {
    await world.create()
    const actor = start()
    await actor.round()
    await finalizeL1()
    await clock.advance(2_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 0, idle: true })
    expect(world.prover.requests).toEqual([])
    expect(await isNullified()).toBe(false)
    await badGame(0)
    expect(await actor.round()).toMatchObject({ kind: 'nullified' })
  })

  test('then it is forgotten only once its blocks are final', async () => {
    await world.create()
    await finalizeL1()
    world.l2.finalized = 14
    const actor = start()
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    world.l2.finalized = 15
    await clock.advance(2_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    await finalizeL1()
    await clock.advance(4_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 0 })
  })

  test.each([
    ['in its place', async () => {}],
    ['in its place and makes it final between two looks', finalizeL1],
  ])('when L1 puts a false one %s, then that one is disputed', async (_, goOn) => {
    const before = await world.l1.request('evm_snapshot', [])
    await world.create()
    const actor = start()
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    await world.l1.request('evm_revert', [before])
    const { address } = await badGame(1)
    await goOn()
    await clock.advance(2_000)
    expect(await actor.round()).toMatchObject({ kind: 'nullified', game: address.toLowerCase() })
  })

  test('when L1 takes it away, then nobody asks for it any more', async () => {
    const before = await world.l1.request('evm_snapshot', [])
    await world.create()
    const actor = start()
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    await world.l1.request('evm_revert', [before])
    await clock.advance(2_000)
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 0 })
  })

  test('then it is disputed once L1 takes back the blocks that it was judged by', async () => {
    const before = await scriptedL2(16, 11)
    before.finalized = 10
    await world.create({ roots: [5, 10, 15].map((block) => before.root(block)) })
    let l2 = before
    const actor = start({ l2: { request: (method, params) => l2.request(method, params) } })
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    l2 = world.l2
    await clock.advance(2_000)
    expect(await actor.round()).toMatchObject({ kind: 'nullified', index: 2 })
  })

  test('then it waits with its judgement until the blocks are safe', async () => {
    await badGame(0)
    world.l2.safe = 14
    const actor = start()
    expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
    world.l2.safe = 15
    expect(await actor.round()).toMatchObject({ kind: 'nullified' })
  })
})

describe('given a game that is no longer to be disputed', () => {
  const otherProof = (game: Hex, name: 'challenge' | 'nullify', ...rest: unknown[]) =>
    world.stack.send(proposer, {
      ...world.player.game(game),
      functionName: name,
      args: rest,
    } as never)

  test('given one that is resolved, then it is left alone', async () => {
    const { address } = await badGame(0)
    await world.player.wait(5 * day)
    await world.stack.send(proposer, {
      ...world.player.game(address),
      functionName: 'resolve',
    } as never)
    expect(await start().round()).toMatchObject({ kind: 'watching' })
    expect(world.prover.requests).toEqual([])
  })

  test('given one that resolves while the proof is made, then nothing is sent (PIPE-23)', async () => {
    const { address } = await badGame(0)
    await world.player.wait(5 * day)
    world.prover.beforeAnswer = () =>
      world.stack.send(proposer, {
        ...world.player.game(address),
        functionName: 'resolve',
      } as never)
    const outcome = await start().round()
    expect(outcome).toMatchObject({ kind: 'overtaken', game: address.toLowerCase() })
    expect(await isNullified()).toBe(false)
  })

  test('given one challenged by ZK, then a TEE proof is of no use, and none is asked for', async () => {
    const { address } = await badGame(1)
    await otherProof(address, 'challenge', '0x01aa', 1n, world.l2.root(10))
    expect(await start().round()).toMatchObject({ kind: 'watching', games: 1 })
    expect(world.prover.requests).toEqual([])
    expect(world.logged.map(({ msg }) => msg)).toContain(
      'only a ZK proof helps, and there is no ZK prover',
    )
  })
})

test('given a challenger that is no listed proposer, then it says so and asks for no proof', async () => {
  await badGame(0)
  const outcome = await start({ wallet: world.wallet(userKeys[3]!) }).round()
  const reason = expect.stringContaining('not on the registry')
  expect(outcome).toMatchObject({ kind: 'blocked', reason })
  expect(world.prover.requests).toEqual([])
})

describe('given a proof that is not the one asked for, then nothing is sent', () => {
  test.each([
    ['of another interval', { l2_block_number: 10 }],
    ['from a fresh L1 head', { l1_origin_hash: badRoot }],
    ['of another root', { output_root: badRoot }],
    ['from another start', { prev_output_root: badRoot }],
  ] as const)('given one %s', async (_, change) => {
    await badGame(0)
    world.prover.tamper = (aggregate) => ({ ...aggregate, ...change })
    const reason = expect.stringContaining('as asked for')
    expect(await start().round()).toMatchObject({ kind: 'failed', reason })
    expect(await isNullified()).toBe(false)
  })

  test('given one by an unregistered signer, then L1 refuses it before it is sent', async () => {
    await badGame(0)
    world.prover.key = userKeys[5]!.privateKey
    const reason = expect.stringContaining('InvalidSigner')
    expect(await start().round()).toMatchObject({ kind: 'failed', reason })
  })
})

test('given a prover that is down, then the dispute is tried again later, and others meanwhile', async () => {
  await badGame(0)
  let down = true
  const prover = {
    async request(method: string, params: readonly unknown[]) {
      if (down) throw new Error('connection refused')
      return await world.prover.request(method, params)
    },
  }
  const actor = start({ prover })
  expect(await actor.round()).toMatchObject({ kind: 'failed', idle: true })
  down = false
  expect(await actor.round()).toMatchObject({ kind: 'watching', games: 1 })
  await clock.advance(2_000)
  expect(await actor.round()).toMatchObject({ kind: 'nullified', index: 0 })
})

describe('given an L2 node that contradicts itself, then no game is judged by it', () => {
  test.each<[string, string, (answer: unknown) => unknown]>([
    ['a header of another block', 'debug_getRawHeader', () => world.l2.block(7).rawHeader],
    [
      'a proof of another block',
      'eth_getProof',
      () => ({ accountProof: world.l2.block(7).accountProof }),
    ],
    ['no proof', 'eth_getProof', () => ({})],
    [
      'another block',
      'eth_getBlockByNumber',
      (answer) => ({ ...(answer as object), hash: world.l2.block(7).hash }),
    ],
  ])('given %s', async (_, method, change) => {
    await world.create()
    world.l2.tamper.set(method, (answer, [tag]) => (tag === 'safe' ? answer : change(answer)))
    expect(await start().round()).toMatchObject({ kind: 'failed' })
    expect(world.prover.requests).toEqual([])
  })
})

test('given a child of a bad game, then the parent is disputed and not the child', async () => {
  const parent = await badGame(2)
  const child = await world.create({
    parent: parent.address,
    startBlock: 15n,
    startRoot: root(2),
    roots: world.honestRoots(15),
  })
  const actor = start()
  expect(await actor.round()).toMatchObject({
    kind: 'nullified',
    game: parent.address.toLowerCase(),
  })
  // L1 may still take the dispute of the parent back.
  expect(await actor.round()).toMatchObject({ kind: 'watching', games: 2 })
  expect(world.prover.requests).toHaveLength(1)
  expect(await world.player.read(child.address, 'proofCount')).toBe(1)
})

describe('given a nullified TEE verifier', () => {
  let other: Hex
  beforeEach(async () => {
    other = (await world.create({ creator: proposer })).address
    await badGame(1)
    await start().round()
  })

  test('then no TEE proof counts any more, and the proposer stops proposing', async () => {
    const { l1, l2, prover, factory, gameType, logger } = world
    const wallet = world.wallet(proposer)
    const actor = createProposer({ l1, rollup: l2, prover, wallet, factory, gameType, logger })
    const reason = expect.stringContaining('nullified')
    expect(await actor.round()).toMatchObject({ kind: 'blocked', reason })
    const refused = world.player.refused({
      startRoot: world.l2.root(0),
      l2Block: 15n,
      roots: [...world.honestRoots(0).slice(0, 2), root(9)],
    })
    expect(await refused).toBe('Nullified()')
  })

  test('then an honest game loses its proof, and gives its bond back after 14 days', async () => {
    const { l1, factory, gameType, logger } = world
    const wallet = world.wallet(proposer)
    const settler = createSettler({ l1, wallet, factory, gameType, logger })
    await world.player.wait(5 * day)
    expect(await settler.round()).toMatchObject({ move: 'resolve', game: other.toLowerCase() })
    expect(await world.player.read(other, 'status')).toBe(0)
    expect(await world.player.read(other, 'proofCount')).toBe(0)
    expect(await settler.round()).toMatchObject({ kind: 'nothing to settle' })
    await world.player.wait(9 * day + 60)
    for (let unlocked = 0; unlocked < 2; unlocked += 1)
      expect(await settler.round()).toMatchObject({ move: 'claimCredit' })
    await world.player.wait(61)
    for (let paid = 0; paid < 2; paid += 1)
      expect(await settler.round()).toMatchObject({ move: 'claimCredit' })
    expect(await settler.round()).toMatchObject({ kind: 'nothing to settle' })
    expect(
      await world.stack.client.getBalance({ address: world.stack.contracts.delayedWETH }),
    ).toBe(0n)
  })

  test('then a ZK proof can still be added to it', async () => {
    await world.stack.send(challenger, {
      ...world.player.game(other),
      functionName: 'verifyProposalProof',
      args: [concatHex(['0x01', '0xaa'])],
    } as never)
    expect(await world.player.read(other, 'proofCount')).toBe(2)
  })
})
