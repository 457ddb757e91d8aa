import { type EncodeFunctionDataParameters, encodeFunctionData, numberToHex } from 'viem'
import { gameType } from '#fixtures/chain/constants'
import { cannotJudge } from '../case-failure.ts'
import type { Hex } from '../wire/hex.ts'
import { gameAbi } from './game-abi.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** Of the usual test mnemonic; the world's L1 signs for it. */
const SOMEBODY: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

/** Somebody resolves a game whose time is over. @throws CaseSetAside */
export async function resolveGame(caller: WatchedCaller, game: Hex): Promise<void> {
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'resolve' })
  await callL1(caller, { from: SOMEBODY, to: game, data }, 'the game resolved')
}

/**
 * A true game becomes the anchor, and the blocks of the next one are there.
 * @param areSafe they are safe: L1 has their batches
 * @returns that game @throws CaseSetAside
 */
export async function moveAnchor(caller: WatchedCaller, areSafe = true): Promise<Hex> {
  // Before L1's time goes on: the blocks of a game are as many as there are.
  await sealMore(caller, await blocksOnL2(caller), areSafe)
  const { game } = (await caller.world.play('honest-game')) as { game: { address: Hex } }
  await makeAnchor(caller, game.address)
  return game.address
}

/** The first game, which the caller created, becomes the anchor, and the blocks of the next one are safe. @throws CaseSetAside */
export async function moveAnchorToFirst(caller: WatchedCaller): Promise<void> {
  const game = await firstGame(caller)
  await sealMore(caller, await blocksOnL2(caller))
  await makeAnchor(caller, game)
}

/** The game that was created first. */
export async function firstGame(caller: WatchedCaller): Promise<Hex> {
  const { disputeGameFactory } = caller.world.description.contracts
  const args = [0n] as const
  const [, , game] = (await caller.read(disputeGameFactory, 'gameAtIndex', args)) as [0, 0n, Hex]
  return game
}

/** Number of the newest block. */
export async function blocksOnL2({ l2 }: WatchedCaller): Promise<number> {
  return Number(await l2.result('eth_blockNumber', []))
}

async function makeAnchor(caller: WatchedCaller, game: Hex): Promise<void> {
  const { world } = caller
  await world.play('time-passes')
  await resolveGame(caller, game)
  await world.play('time-passes')
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'setAnchorState', args: [game] })
  const to = world.description.contracts.anchorStateRegistry!
  await callL1(caller, { from: SOMEBODY, to, data }, 'the game made the anchor')
}

/** So many more blocks are on L2. @param areSafe they are safe: L1 has their batches @throws CaseSetAside */
export async function sealMore(
  caller: WatchedCaller,
  count: number,
  areSafe = true,
): Promise<void> {
  const { l2, rollup, untilReady } = caller
  const newest = (await blocksOnL2(caller)) + count
  for (let block = 0; block < count; block += 1) await l2.result('rollbed_seal', [])
  if (!areSafe) return
  await untilReady(`${newest} safe blocks`, async () => {
    const { safe_l2 } = (await rollup.result('optimism_syncStatus', [])) as SyncStatus
    return safe_l2.number >= newest || undefined
  })
}

interface SyncStatus {
  safe_l2: { number: number }
}

/** The owner of the factory asks for twice as much. @returns the bond from now on, in wei @throws CaseSetAside */
export async function raiseBond(caller: WatchedCaller): Promise<bigint> {
  const { disputeGameFactory: to } = caller.world.description.contracts
  const from = await ownerOf(caller, to)
  const bond = 2n * ((await caller.read(to, 'initBonds', [gameType])) as bigint)
  const args = [gameType, bond] as const
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'setInitBond', args })
  await callL1(caller, { from, to, data }, 'another bond')
  return bond
}

/** Wei: an eighth less in each block that follows, it is above a gwei for more than a minute. */
const DEAR_GAS = 20_000n * 10n ** 9n

/** Gas on L1 becomes dear. @throws CaseSetAside */
export async function makeGasDear({ l1, untilReady }: WatchedCaller): Promise<void> {
  await untilReady('a block with dear gas', async () => {
    const block = await l1.result('eth_getBlockByNumber', ['latest', false])
    if (2n * BigInt((block as { baseFeePerGas: Hex }).baseFeePerGas) > DEAR_GAS) return true
    // At each look anew: where the machine is busy, several blocks come between two.
    await l1.result('anvil_setNextBlockBaseFeePerGas', [numberToHex(DEAR_GAS)])
    return undefined
  })
}

/** The owner of the registry holds an image valid beside the one in force. @throws CaseSetAside */
export async function beginOverlap(caller: WatchedCaller, imageHash: Hex): Promise<void> {
  await holdValid(caller, imageHash, true)
}

/** The owner of the registry holds an image valid no more. @throws CaseSetAside */
export async function endOverlap(caller: WatchedCaller, imageHash: Hex): Promise<void> {
  await holdValid(caller, imageHash, false)
}

async function holdValid(caller: WatchedCaller, imageHash: Hex, isValid: boolean): Promise<void> {
  const { teeProverRegistry: to } = caller.world.description.contracts
  const from = await ownerOf(caller, to)
  const args = [imageHash, isValid] as const
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'setDevImage', args })
  await callL1(caller, { from, to, data }, `an image ${isValid ? '' : 'no longer '}held valid`)
}

/** Where a game of the next image lies. */
const NEXT_GAME: Hex = '0x00000000000000000000000000000000000c11ea'

/** The owner of the factory has new games made of an implementation of another image. @throws CaseSetAside */
export async function putInForce(caller: WatchedCaller, imageHash: Hex): Promise<void> {
  const { disputeGameFactory: to } = caller.world.description.contracts
  const { l1 } = caller
  const from = await ownerOf(caller, to)
  const game = (await caller.read(to, 'gameImpls', [gameType])) as Hex
  const old = (await caller.read(game, 'TEE_IMAGE_HASH')) as Hex
  const code = (await l1.result('eth_getCode', [game, 'latest'])) as Hex
  // The image is an immutable of the contract: it stands in its code.
  const nextCode = code.replaceAll(old.slice(2), imageHash.slice(2))
  await l1.result('anvil_setCode', [NEXT_GAME, nextCode])
  const args = [gameType, NEXT_GAME] as const
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'setImplementation', args })
  await callL1(caller, { from, to, data }, 'games of another image')
  if ((await caller.read(NEXT_GAME, 'TEE_IMAGE_HASH')) !== imageHash)
    cannotJudge('Its world has no implementation of another image.')
}

/** L1 stands still, and a transaction of each account waits for its next block. @returns what ends that */
export async function letAllWait({ world, l1 }: WatchedCaller): Promise<() => Promise<void>> {
  const goOn = await world.fault('chain:l1', 'still')
  for (const { address } of world.description.accounts as readonly { address: Hex }[])
    await l1.result('eth_sendTransaction', [{ from: address, to: address }])
  return goOn
}

/**
 * So many blocks, one a second, of an L1 that stands still have no room for so much gas: what asks for it goes on
 * waiting.
 */
export async function mineWithoutRoom(
  { l1, untilOver }: WatchedCaller,
  gas: bigint,
  count: number,
): Promise<void> {
  const { gasLimit } = (await l1.result('eth_getBlockByNumber', ['latest', false])) as L1Block
  for (let block = 0; block < count; block += 1) {
    await l1.result('evm_setBlockGasLimit', [numberToHex(gas - 1n)])
    await l1.result('evm_mine', [])
    await l1.result('evm_setBlockGasLimit', [gasLimit])
    await untilOver(1_000)
  }
}

interface L1Block {
  gasLimit: Hex
}

/** The contract that games of another type are copies of. */
const ANOTHER_GAME: Hex = '0x00000000000000000000000000000000000c11e9'
const ANOTHER_TYPE = 1
/** STOP: it takes every call, and has an answer to none. */
const ANSWERLESS: Hex = '0x00'

/** Somebody creates games of another type, which have none of the functions of an AggregateVerifier. @throws CaseSetAside */
export async function createGamesOfAnotherType(caller: WatchedCaller, count = 1): Promise<void> {
  const { disputeGameFactory: to } = caller.world.description.contracts
  const { l1 } = caller
  await l1.result('anvil_setCode', [ANOTHER_GAME, ANSWERLESS])
  const from = await ownerOf(caller, to)
  const what = 'a game of another type'
  const send = (call: object) =>
    sendToL1(caller, {
      from,
      to,
      data: encodeFunctionData({ abi: gameAbi, ...call } as EncodeFunctionDataParameters),
    })
  const first = Number(await caller.read(to, 'gameCount'))
  const type = await send({ functionName: 'setImplementation', args: [ANOTHER_TYPE, ANOTHER_GAME] })
  // What it costs to create one is estimated with the type there.
  await expectTakenByL1(caller, type, what)
  const hashes: Hex[] = []
  for (let at = first; at < first + count; at += 1) {
    const claim = numberToHex(at, { size: 32 })
    hashes.push(await send({ functionName: 'create', args: [ANOTHER_TYPE, claim, '0x'] }))
  }
  for (const hash of hashes) await expectTakenByL1(caller, hash, what)
}

/** The owner of the system halts it: nobody can propose. @throws CaseSetAside */
export async function pauseSystem(caller: WatchedCaller): Promise<void> {
  const to = caller.world.description.contracts.systemConfig!
  const from = await ownerOf(caller, to)
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'setPaused', args: [true] })
  await callL1(caller, { from, to, data }, 'the system paused')
}

/** The owner of a contract, for whom L1 takes transactions from now on. */
async function ownerOf(caller: WatchedCaller, contract: Hex): Promise<Hex> {
  const owner = (await caller.read(contract, 'owner')) as Hex
  await caller.l1.result('anvil_impersonateAccount', [owner])
  return owner
}

async function callL1(caller: WatchedCaller, call: CallOfL1, what: string): Promise<void> {
  await expectTakenByL1(caller, await sendToL1(caller, call), what)
}

interface CallOfL1 {
  from: Hex
  to: Hex
  data: Hex
}

async function sendToL1({ l1 }: WatchedCaller, call: CallOfL1): Promise<Hex> {
  return (await l1.result('eth_sendTransaction', [call])) as Hex
}

async function expectTakenByL1(
  { l1, untilReady }: WatchedCaller,
  hash: Hex,
  what: string,
): Promise<void> {
  const receipt = await untilReady(what, async () => {
    return (await l1.result('eth_getTransactionReceipt', [hash])) ?? undefined
  })
  if ((receipt as { status: Hex }).status !== '0x1') cannotJudge(`L1 did not take it: ${what}.`)
}
