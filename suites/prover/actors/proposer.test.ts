import { concatHex, type Hex, numberToHex, slice, toFunctionSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProposer, type ProposerOptions } from '#devnet/actors/proposer/create-proposer'
import { createSettler, settledBy } from '#devnet/actors/settle-games'
import { RpcRefused, RpcUnreachable } from '#devnet/base/json-rpc/http-rpc-client'
import { initBond } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { enclave } from '../contracts/tee-journal.ts'
import { type ActorWorld, actorWorld, badRoot } from './actor-world.ts'

const day = 86_400
const { proposer } = roleKeys

let world: ActorWorld

beforeAll(async () => {
  world = await actorWorld()
})
afterAll(() => world.stack.stop())
beforeEach(() => world.stack.rewindPoint())
afterEach(() => world.reset())

function start(overrides: Partial<ProposerOptions> = {}) {
  const { l1, l2, prover, factory, gameType, logger } = world
  return createProposer({
    l1,
    rollup: l2,
    prover,
    wallet: world.wallet(proposer),
    factory,
    gameType,
    logger,
    ...overrides,
  })
}

const gameCount = () =>
  world.stack.client.readContract({
    address: world.factory,
    abi: disputeGameFactoryAbi,
    functionName: 'gameCount',
  })

describe('given final blocks, when a proposer goes round', () => {
  test('then it creates the game of the next interval on what L1 and L2 say (PIPE-24, PIPE-25)', async () => {
    const head = await world.stack.client.getBlock()
    const outcome = await start().round()
    expect(outcome).toMatchObject({ kind: 'created', block: 15n, root: world.l2.root(15) })
    expect(world.prover.requests).toEqual([
      {
        l1_head: head.hash,
        l1_head_number: Number(head.number),
        agreed_l2_head_hash: world.l2.block(0).hash,
        agreed_l2_output_root: world.l2.root(0),
        claimed_l2_output_root: world.l2.root(15),
        claimed_l2_block_number: 15,
        proposer: proposer.address,
        intermediate_block_interval: 5,
        image_hash: `0x${'1a'.repeat(32)}`,
      },
    ])
    const game = (outcome as { game: Hex }).game
    expect(await world.player.read(game, 'rootClaim')).toBe(world.l2.root(15))
    expect(await world.player.read(game, 'extraData')).toBe(
      concatHex([
        numberToHex(15, { size: 32 }),
        world.stack.contracts.anchorStateRegistry,
        ...world.honestRoots(0),
      ]),
    )
  })

  test('then every game is the parent of the next, until the head is reached', async () => {
    const actor = start()
    const games: Hex[] = []
    for (const block of [15n, 30n, 45n]) {
      const outcome = await actor.round()
      expect(outcome).toMatchObject({ kind: 'created', block })
      games.push((outcome as { game: Hex }).game)
    }
    expect(await actor.round()).toMatchObject({ kind: 'waiting', block: 60n, head: 45n })
    expect(await world.player.read(games[1]!, 'parentAddress')).toMatch(new RegExp(games[0]!, 'i'))
    expect(await world.player.read(games[2]!, 'parentAddress')).toMatch(new RegExp(games[1]!, 'i'))
  })

  test('when a reorganization of L1 takes its games out, then it brings them again', async () => {
    const actor = start()
    const before = await world.l1.request('evm_snapshot', [])
    await actor.round()
    await actor.round()
    await world.l1.request('evm_revert', [before])
    expect(await gameCount()).toBe(0n)
    expect(await actor.round()).toMatchObject({ kind: 'created', block: 15n })
    expect(await actor.round()).toMatchObject({ kind: 'created', block: 30n })
  })

  test('when another game is at the address of its last one, then it goes on from the anchor', async () => {
    const actor = start()
    await actor.round()
    const before = await world.l1.request('evm_snapshot', [])
    await actor.round()
    await world.l1.request('evm_revert', [before])
    // The factory gives the next game the address of the one that is gone.
    await world.create({ roots: [...world.honestRoots(0).slice(0, -1), badRoot] })
    expect(await actor.round()).toMatchObject({ kind: 'created', block: 30n })
  })

  test('then one started anew recovers from L1 alone and goes on where it ended', async () => {
    await start().round()
    expect(await start().round()).toMatchObject({ kind: 'created', block: 30n })
    expect(await gameCount()).toBe(2n)
  })

  test.each([
    ['finalized', 14, 45],
    ['safe', 45, 14],
  ] as const)('then only %s blocks are proposed', async (finality, finalized, safe) => {
    Object.assign(world.l2, { finalized, safe })
    expect(await start({ finality }).round()).toMatchObject({ kind: 'waiting', head: 14n })
    Object.assign(world.l2, { [finality]: 15 })
    expect(await start({ finality }).round()).toMatchObject({ kind: 'created', block: 15n })
  })

  test('then a dry run proves and sends nothing', async () => {
    const outcome = await start({ dryRun: true }).round()
    expect(outcome).toMatchObject({ kind: 'dry-run', block: 15n, root: world.l2.root(15) })
    expect(await gameCount()).toBe(0n)
  })
})

describe('given the same game by somebody else', () => {
  test('when it came before, then the proposer goes on behind it', async () => {
    await world.create({ creator: roleKeys.challenger })
    expect(await start().round()).toMatchObject({ kind: 'created', block: 30n })
  })

  test('when it comes while the proof is made, then that is success, and the next follows', async () => {
    world.prover.beforeAnswer = async () => {
      world.prover.beforeAnswer = () => undefined
      await world.create({ creator: roleKeys.challenger })
    }
    const actor = start()
    expect(await actor.round()).toMatchObject({ kind: 'exists', block: 15n, idle: false })
    expect(await actor.round()).toMatchObject({ kind: 'created', block: 30n })
    expect(await gameCount()).toBe(2n)
  })
})

describe('given something that changed while the proof was made (PIPE-23)', () => {
  test('given another output root, then nothing is submitted', async () => {
    world.prover.beforeAnswer = () =>
      world.l2.tamper.set('optimism_outputAtBlock', (answer, [number]) =>
        Number(number) === 15 ? { ...(answer as object), outputRoot: badRoot } : answer,
      )
    const reason = expect.stringContaining('other output roots')
    expect(await start().round()).toMatchObject({ kind: 'stale', reason })
    expect(await gameCount()).toBe(0n)
  })

  test('given another L1 origin, by a reorganisation, then nothing is submitted', async () => {
    let reorganised = false
    const l1 = {
      async request(method: string, params: readonly unknown[]) {
        const answer = await world.l1.request(method, params)
        const isOrigin = method === 'eth_getBlockByNumber' && params[0] !== 'latest'
        return reorganised && isOrigin ? { ...(answer as object), hash: badRoot } : answer
      },
    }
    world.prover.beforeAnswer = () => {
      reorganised = true
    }
    const reason = expect.stringContaining('reorganised')
    expect(await start({ l1 }).round()).toMatchObject({ kind: 'stale', reason })
    expect(await gameCount()).toBe(0n)
  })

  test('given a parent that the guardian took away, then nothing is submitted, nor proven again', async () => {
    const { address } = await world.create()
    const blacklist = () =>
      world.stack.send(world.stack.owner, {
        address: world.stack.contracts.anchorStateRegistry,
        abi: anchorStateRegistryAbi,
        functionName: 'blacklistDisputeGame',
        args: [address],
      })
    world.prover.beforeAnswer = blacklist
    const actor = start()
    const reason = expect.stringContaining('blacklisted')
    expect(await actor.round()).toMatchObject({ kind: 'stale', reason })
    expect(await gameCount()).toBe(1n)
  })
})

describe('given a prover that does not do what it was asked, then nothing is submitted', () => {
  afterEach(async () => expect(await gameCount()).toBe(0n))

  test.each([
    ['another block', { l2_block_number: 14 }, 'PROOF_UNEXPECTED'],
    ['another root', { output_root: badRoot }, 'PROOF_UNEXPECTED'],
    ['another L1 origin', { l1_origin_hash: badRoot }, 'PROOF_UNEXPECTED'],
    ['another chain configuration', { config_hash: badRoot }, 'PROOF_UNEXPECTED'],
    ['a signature of 64 bytes', { signature: `0x${'11'.repeat(64)}` }, 'PROVER_ANSWER_MALFORMED'],
    ['v of 2', { signature: `0x${'11'.repeat(64)}02` }, 'SIGNATURE_V_INVALID'],
  ] as const)('given %s', async (_, change, code) => {
    world.prover.tamper = (aggregate) => ({ ...aggregate, ...change })
    await expect(start().round()).rejects.toMatchObject({ code })
  })

  test('given a tampered signature', async () => {
    world.prover.tamper = ({ signature, ...rest }) => ({
      ...rest,
      signature: concatHex([slice(signature, 0, 63), '0x00', slice(signature, 64)]),
    })
    const code = expect.stringMatching(/^(SIGNER_NOT_VALID|SIGNATURE_INVALID)$/)
    await expect(start().round()).rejects.toMatchObject({ code })
  })

  test('given a signer that is not registered', async () => {
    world.prover.key = userKeys[5]!.privateKey
    await expect(start().round()).rejects.toMatchObject({
      code: 'SIGNER_NOT_VALID',
      message: expect.stringContaining(userKeys[5]!.address),
    })
  })

  test('given no look at the signer, then L1 refuses it, and the round says why', async () => {
    world.prover.key = userKeys[5]!.privateKey
    await expect(start({ checkSigners: false }).round()).rejects.toMatchObject({
      code: 'L1_REVERTED',
      revert: 'InvalidSigner',
    })
  })

  test('given a journal for another sender', async () => {
    const { prover } = world
    const other = userKeys[3]!.address
    const forOther = {
      request: (method: string, [asked]: readonly unknown[]) =>
        prover.request(method, [{ ...(asked as object), proposer: other }]),
    }
    await expect(start({ prover: forOther }).round()).rejects.toMatchObject({
      code: 'SIGNER_NOT_VALID',
    })
  })

  test('given an enclave of another image', async () => {
    await world.stack.send(world.stack.owner, {
      address: world.stack.contracts.teeProverRegistry,
      abi: teeProverRegistryAbi,
      functionName: 'addDevSigner',
      args: [enclave.address as Hex, badRoot],
    })
    await expect(start().round()).rejects.toMatchObject({ code: 'SIGNER_NOT_VALID' })
    await expect(start({ checkSigners: false }).round()).rejects.toMatchObject({
      revert: 'ImageIdMismatch',
    })
  })
})

test('given a sender who is not listed, then the proposer says so and asks for no proof', async () => {
  const outcome = await start({ wallet: world.wallet(userKeys[3]!) }).round()
  const reason = expect.stringContaining('not on the registry')
  expect(outcome).toMatchObject({ kind: 'blocked', idle: true, reason })
  expect(world.prover.requests).toEqual([])
})

test('given an anchor the rollup node disagrees with, then nothing is proven', async () => {
  world.l2.tamper.set('optimism_outputAtBlock', (answer) => ({
    ...(answer as object),
    outputRoot: badRoot,
  }))
  await expect(start().round()).rejects.toMatchObject({ code: 'ANCHOR_DISAGREES' })
  expect(world.prover.requests).toEqual([])
})

test('given a submission that fails, then the same proof is sent again, three times, then a new one', async () => {
  let failing = true
  const l1 = {
    request(method: string, params: readonly unknown[]) {
      if (failing && method === 'eth_sendRawTransaction') throw new Error('mempool is full')
      return world.l1.request(method, params)
    },
  }
  const actor = start({ wallet: world.wallet(proposer, l1) })
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await expect(actor.round()).rejects.toThrow('mempool is full')
    expect(world.prover.requests).toHaveLength(attempt < 4 ? 1 : 2)
  }
  failing = false
  expect(await actor.round()).toMatchObject({ kind: 'created', block: 15n })
  expect(world.prover.requests).toHaveLength(2)
})

describe('given an L1 whose answer is lost, then one transaction is sent, and its game is found', () => {
  test.each<[string, string, 'before' | 'after' | 'twice']>([
    ['with the transaction', 'eth_sendRawTransaction', 'before'],
    ['after it took the transaction', 'eth_sendRawTransaction', 'after'],
    ['when its receipt is asked for', 'eth_getTransactionReceipt', 'before'],
    ['and the transaction sent once more by its connection', 'eth_sendRawTransaction', 'twice'],
  ])('given one %s', async (_, lost, when) => {
    let isLost = true
    const l1 = {
      async request(method: string, params: readonly unknown[]) {
        if (method !== lost || !isLost) return await world.l1.request(method, params)
        isLost = false
        if (when !== 'before') await world.l1.request(method, params)
        if (when === 'twice') return await world.l1.request(method, params)
        throw new RpcUnreachable('http://l1', 'the connection was closed')
      },
    }
    const { client } = world.stack
    const before = await client.getTransactionCount({ address: proposer.address })
    const outcome = await start({ wallet: world.wallet(proposer, l1) }).round()
    expect(outcome).toMatchObject({ kind: 'created', block: 15n })
    expect(isLost).toBe(false)
    await world.stack.l1.mine()
    expect(await client.getTransactionCount({ address: proposer.address })).toBe(before + 1)
  })
})

test('given an honest game, then after its time it is resolved, made the anchor and its bond paid', async () => {
  const { client, contracts } = world.stack
  const created = await start().round()
  const { game } = created as { game: Hex }
  const { l1, factory, gameType, logger } = world
  const wallet = world.wallet(proposer)
  const settler = createSettler({ l1, wallet, factory, gameType, logger })
  const settles = async (move: string) =>
    expect(await settler.round()).toMatchObject({ kind: 'settled', move, game: game.toLowerCase() })
  const waits = async () =>
    expect(await settler.round()).toMatchObject({ kind: 'nothing to settle', idle: true })

  await waits()
  await world.player.wait(5 * day)
  await settles('resolve')
  expect(await world.player.read(game, 'status')).toBe(2)
  await settles('claimCredit')
  await waits()
  await world.player.wait(61)
  await settles('closeGame')
  const anchor = await client.readContract({
    address: contracts.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    functionName: 'getAnchorRoot',
  })
  expect(anchor).toEqual([world.l2.root(15), 15n])

  const before = await client.getBalance({ address: proposer.address })
  await settles('claimCredit')
  const block = await client.getBlock({ includeTransactions: true })
  const [payout] = block.transactions
  const receipt = await client.getTransactionReceipt({ hash: payout!.hash })
  const cost = receipt.gasUsed * receipt.effectiveGasPrice
  const after = await client.getBalance({ address: proposer.address })
  expect(after - before).toBe(initBond - cost)
  await waits()
  expect(await start().round()).toMatchObject({ kind: 'created', block: 30n })
})

test('given a game that its contract does not let be resolved, then the others are settled all the same', async () => {
  const { game: stuck } = (await start().round()) as { game: Hex }
  const other = await world.create({ roots: [...world.honestRoots(0).slice(0, 2), badRoot] })
  await world.player.wait(5 * day)
  const rpc = {
    request(method: string, params: readonly unknown[]) {
      const [call] = params as [{ to?: string; data?: string }]
      const isResolve = call?.data?.startsWith(toFunctionSelector('resolve()'))
      if (method === 'eth_call' && call.to?.toLowerCase() === stuck && isResolve)
        throw new RpcRefused(method, { code: 3, message: 'execution reverted', data: '0x' })
      return world.l1.request(method, params)
    },
  }
  const { l1, factory, gameType, logger } = world
  const wallet = world.wallet(proposer, rpc)
  const settler = createSettler({ l1, wallet, factory, gameType, logger })
  const game = other.address.toLowerCase()
  expect(await settler.round()).toMatchObject({ kind: 'settled', move: 'resolve', game })
  expect(world.logged.map(({ msg }) => msg)).toContain('game not settled')
})

test('given a game that L1 took away, then the one in its place is settled', async () => {
  const { l1, factory, gameType, logger } = world
  const before = await l1.request('evm_snapshot', [])
  await start().round()
  const wallet = world.wallet(proposer)
  const settler = createSettler({ l1, wallet, factory, gameType, logger })
  expect(await settler.round()).toMatchObject({ kind: 'nothing to settle' })
  await l1.request('evm_revert', [before])
  const other = await world.create({ roots: [...world.honestRoots(0).slice(0, 2), badRoot] })
  await world.player.wait(5 * day)
  const game = other.address.toLowerCase()
  expect(await settler.round()).toMatchObject({ kind: 'settled', move: 'resolve', game })
})

test('given a game that is final, when the first read of it fails, then it is settled with a later round', async () => {
  const { game } = (await start().round()) as { game: Hex }
  await world.l1.request('anvil_mine', [100])
  await world.player.wait(5 * day)
  const { factory, gameType, logger } = world
  const recipient = toFunctionSelector('bondRecipient()')
  let failures = 0
  const l1 = {
    async request(method: string, params: readonly unknown[]) {
      const [call] = params as [{ data?: string }?]
      if (call?.data !== recipient || failures > 0) return await world.l1.request(method, params)
      failures += 1
      throw new RpcUnreachable('http://l1', 'it was busy')
    },
  }
  const settler = createSettler({ l1, wallet: world.wallet(proposer), factory, gameType, logger })
  await expect(settler.round()).rejects.toThrow('it was busy')
  const settled = { kind: 'settled', move: 'resolve', game: game.toLowerCase() }
  expect(await settler.round()).toMatchObject(settled)
})

test('given a prover that is down, then what was proposed before is settled, and the round fails', async () => {
  const { game } = (await start().round()) as { game: Hex }
  await world.player.wait(5 * day)
  world.prover.beforeAnswer = () => {
    throw new RpcUnreachable('http://prover', 'it is down')
  }
  const { l1, factory, gameType, logger } = world
  const wallet = world.wallet(proposer)
  const actor = settledBy(start(), { l1, wallet, factory, gameType, logger })
  await expect(actor.round()).rejects.toThrow('it is down')
  expect(await world.player.read(game, 'status')).toBe(2)
})
