import { concatHex, type Hex, keccak256, pad, parseEventLogs, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { initBond } from '#fixtures/chain/constants'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { systemConfigAbi } from '#fixtures/contracts/SystemConfig.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { gamePlayer, registerEnclave, root } from './play-game.ts'
import { type ProofStack, startProofStack } from './proof-stack.ts'

const day = 86_400
const { proposer, challenger } = roleKeys
const inProgress = 0
const challengerWins = 1
const defenderWins = 2

let stack: ProofStack
let player: ReturnType<typeof gamePlayer>
let game: Hex

beforeAll(async () => {
  stack = await startProofStack()
  player = gamePlayer(stack)
  await registerEnclave(stack)
  game = (await player.create()).address
})

afterAll(() => stack.stop())

beforeEach(() => stack.rewindPoint())

type Move =
  | 'verifyProposalProof'
  | 'nullify'
  | 'challenge'
  | 'resolve'
  | 'closeGame'
  | 'claimCredit'

const move = (functionName: Move, args: unknown[] = [], address = game) =>
  ({ ...player.game(address), functionName, args }) as never
const play = (by: DevKey, name: Move, ...args: unknown[]) => stack.send(by, move(name, args))
const refused = (by: DevKey, name: Move, ...args: unknown[]) => stack.revertOf(by, move(name, args))

const pause = (paused: boolean) =>
  stack.send(stack.owner, {
    address: stack.contracts.systemConfig,
    abi: systemConfigAbi,
    functionName: 'setPaused',
    args: [paused],
  })

describe('nullify, given a TEE proof of another root', () => {
  const other = root(77)

  test.each([0, 1])(
    'when index %i is wrong, then the TEE verifier stops for good',
    async (index) => {
      const proof = await player.intervalProof(game, challenger, index, other)
      const receipt = await play(challenger, 'nullify', proof, BigInt(index), other)
      const [event] = parseEventLogs({
        abi: aggregateVerifierAbi,
        eventName: 'Nullified',
        logs: receipt.logs,
      })
      expect(event?.args).toMatchObject({
        intermediateRootIndex: BigInt(index),
        intermediateRoot: other,
      })
      const verifier = { address: stack.contracts.teeVerifier, abi: teeVerifierAbi }
      expect(await stack.client.readContract({ ...verifier, functionName: 'nullified' })).toBe(true)
      expect(await player.read(game, 'proofCount')).toBe(0)
      expect(await player.read(game, 'teeProver')).toBe(`0x${'00'.repeat(20)}`)
      expect(await player.read(game, 'expectedResolution')).toBe(2n ** 64n - 1n)
      expect(await refused(challenger, 'nullify', proof, BigInt(index), other)).toBe(
        'MissingProof(0)',
      )
      expect(await player.refused({ roots: [root(1), root(3)] })).toBe('Nullified()')
    },
  )

  test('when the index does not exist, then it reverts', async () => {
    const proof = await player.intervalProof(game, challenger, 1, other)
    expect(await refused(challenger, 'nullify', proof, 2n, other)).toBe(
      'InvalidIntermediateRootIndex()',
    )
  })

  test('when the proof is for another index or sender, then the signature does not fit', async () => {
    const proof = await player.intervalProof(game, challenger, 0, other)
    expect(await refused(challenger, 'nullify', proof, 1n, other)).toMatch(/^InvalidSigner\(0x/)
    expect(await refused(proposer, 'nullify', proof, 0n, other)).toMatch(/^InvalidSigner\(0x/)
  })

  test('when the root is the proposed one, then nothing is contradicted', async () => {
    const proof = await player.intervalProof(game, challenger, 0, root(1))
    expect(await refused(challenger, 'nullify', proof, 0n, root(1))).toBe(
      'IntermediateRootSameAsProposed()',
    )
  })

  test('when the kind of proof was never given, then it is missing', async () => {
    expect(await refused(challenger, 'nullify', '0x01aa', 0n, other)).toBe('MissingProof(1)')
  })

  test('when the system is paused, then it stops the verifier all the same', async () => {
    const proof = await player.intervalProof(game, challenger, 0, other)
    await pause(true)
    const receipt = await play(challenger, 'nullify', proof, 0n, other)
    const [event] = receipt.logs.filter(({ address }) => address === stack.contracts.teeVerifier)
    // Not indexed: the game stands in the data.
    expect(event?.topics).toEqual([keccak256(toHex('VerifierNullified(address)'))])
    expect(event?.data).toBe(pad(game, { size: 32 }).toLowerCase())
  })

  test('when the game is retired, then it may not stop the verifier', async () => {
    const proof = await player.intervalProof(game, challenger, 0, other)
    await stack.send(stack.owner, {
      address: stack.contracts.anchorStateRegistry,
      abi: anchorStateRegistryAbi,
      functionName: 'updateRetirementTimestamp',
      args: [],
    })
    expect(await refused(challenger, 'nullify', proof, 0n, other)).toBe('NotProperGame()')
  })

  test('when the game is blacklisted, then it may not stop the verifier', async () => {
    const proof = await player.intervalProof(game, challenger, 0, other)
    expect(await refused(challenger, 'nullify', proof, 0n, other)).toBeUndefined()
    await stack.send(stack.owner, {
      address: stack.contracts.anchorStateRegistry,
      abi: anchorStateRegistryAbi,
      functionName: 'blacklistDisputeGame',
      args: [game],
    })
    expect(await refused(challenger, 'nullify', proof, 0n, other)).toBe('NotProperGame()')
    expect(await refused(challenger, 'challenge', '0x01aa', 0n, other)).toBe('InvalidGame()')
  })

  test('when another game resolves later, then it drops its proof and goes on', async () => {
    const second = (await player.create({ roots: [root(1), root(4)] })).address
    const proof = await player.intervalProof(game, challenger, 0, other)
    await play(challenger, 'nullify', proof, 0n, other)
    await stack.send(proposer, move('resolve', [], second))
    expect(await player.read(second, 'status')).toBe(inProgress)
    expect(await player.read(second, 'proofCount')).toBe(0)
  })
})

describe('challenge, given a ZK proof of another root', () => {
  const other = root(77)

  test('when it stands for five days, then the challenger wins and gets the bond', async () => {
    await play(challenger, 'challenge', '0x01aa', 1n, other)
    expect(await player.read(game, 'counteredByIntermediateRootIndexPlusOne')).toBe(2n)
    expect(await refused(challenger, 'challenge', '0x01aa', 1n, other)).toBe('AlreadyProven(1)')
    await player.wait(5 * day)
    await play(proposer, 'resolve')
    expect(await player.read(game, 'status')).toBe(challengerWins)
    expect(await player.read(game, 'bondRecipient')).toMatch(new RegExp(challenger.address, 'i'))
  })

  test('when it is countered for the proposed root, then the TEE proof stands again', async () => {
    await play(challenger, 'challenge', '0x01aa', 1n, other)
    expect(await refused(proposer, 'nullify', '0x01aa', 0n, root(1))).toBe(
      'InvalidIntermediateRootIndex()',
    )
    expect(await refused(proposer, 'nullify', '0x01aa', 1n, other)).toBe(
      `IntermediateRootMismatch(${other}, ${root(2)})`,
    )
    expect(await refused(proposer, 'nullify', '0x00aa', 1n, root(2))).toBe('InvalidProofType()')
    await play(proposer, 'nullify', '0x01aa', 1n, root(2))
    expect(await player.read(game, 'counteredByIntermediateRootIndexPlusOne')).toBe(0n)
    await player.wait(5 * day)
    await play(proposer, 'resolve')
    expect(await player.read(game, 'status')).toBe(defenderWins)
  })

  test('when the proof is a TEE proof, then it is of the wrong type', async () => {
    expect(await refused(challenger, 'challenge', '0x00aa', 1n, other)).toBe('InvalidProofType()')
  })

  test('when it wins, then a child of the game is lost too', async () => {
    const child = (
      await player.create({
        parent: game,
        startRoot: root(2),
        startBlock: 10n,
        roots: [root(5), root(6)],
      })
    ).address
    await play(challenger, 'challenge', '0x01aa', 0n, other)
    await player.wait(5 * day)
    expect(await stack.revertOf(proposer, move('resolve', [], child))).toBe(
      'ParentGameNotResolved()',
    )
    await play(proposer, 'resolve')
    await stack.send(proposer, move('resolve', [], child))
    expect(await player.read(child, 'status')).toBe(challengerWins)
  })
})

describe('an undisputed game', () => {
  test('given a second proof, then it resolves after one day', async () => {
    await play(challenger, 'verifyProposalProof', '0x01aa')
    expect(await player.read(game, 'proofCount')).toBe(2)
    expect(await refused(challenger, 'verifyProposalProof', '0x01aa')).toBe('AlreadyProven(1)')
    expect(await refused(proposer, 'resolve')).toBe('GameNotOver()')
    await player.wait(day)
    expect(await refused(challenger, 'verifyProposalProof', '0x01aa')).toBe('GameOver()')
    await play(proposer, 'resolve')
    expect(await player.read(game, 'status')).toBe(defenderWins)
    expect(await refused(challenger, 'verifyProposalProof', '0x00aa')).toBe('GameNotInProgress()')
  })

  test('given an empty proof, then it is invalid', async () => {
    expect(await refused(challenger, 'verifyProposalProof', '0x01')).toBe('InvalidProof()')
  })

  test('given five days, then it resolves, becomes the anchor and pays the bond back', async () => {
    await player.wait(5 * day)
    expect(await refused(proposer, 'claimCredit')).toBe('GameNotResolved()')
    await play(proposer, 'resolve')
    expect(await refused(proposer, 'resolve')).toBe('ClaimAlreadyResolved()')
    expect(await refused(proposer, 'closeGame')).toBe('GameNotFinalized()')
    await player.wait(61)
    await play(challenger, 'closeGame')
    const anchors = { address: stack.contracts.anchorStateRegistry, abi: anchorStateRegistryAbi }
    const anchor = await stack.client.readContract({ ...anchors, functionName: 'getAnchorRoot' })
    expect(anchor).toEqual([root(2), 10n])

    await play(challenger, 'claimCredit')
    expect(await refused(challenger, 'claimCredit')).toBe('DelayedWETH: withdrawal delay not met')
    await player.wait(61)
    const before = await stack.client.getBalance({ address: proposer.address })
    await play(challenger, 'claimCredit')
    const after = await stack.client.getBalance({ address: proposer.address })
    expect(after - before).toBe(initBond)
    expect(await refused(challenger, 'claimCredit')).toBe('NoCreditToClaim()')
  })

  test('given a paused system, then no game closes', async () => {
    await player.wait(5 * day)
    await play(proposer, 'resolve')
    await player.wait(61)
    await pause(true)
    expect(await refused(proposer, 'closeGame')).toBe('GamePaused()')
    await pause(false)
    expect(await refused(proposer, 'closeGame')).toBeUndefined()
  })

  test('given a recipient that takes no ether, then the bond waits until it does', async () => {
    await player.wait(5 * day)
    await play(proposer, 'resolve')
    await play(challenger, 'claimCredit')
    await player.wait(61)
    // The proposer's account turns into one that reverts on every call, as EIP-7702 allows.
    const setCode = (code: Hex) =>
      stack.client.request({ method: 'anvil_setCode', params: [proposer.address, code] } as never)
    await setCode('0x5f5ffd')
    expect(await refused(challenger, 'claimCredit')).toBe('BondTransferFailed()')
    await setCode('0x')
    expect(await refused(challenger, 'claimCredit')).toBeUndefined()
  })

  test('given no proof left, then it does not resolve, not even at the end of time', async () => {
    const proof = await player.intervalProof(game, challenger, 0, root(77))
    await play(challenger, 'nullify', proof, 0n, root(77))
    expect(await refused(proposer, 'resolve')).toBe('GameNotOver()')
    // Without a proof the dispute time is 2^64 - 1: only there can the count of proofs decide.
    const blockOverrides = { time: 2n ** 64n - 1n }
    const last = {
      ...player.game(game),
      functionName: 'resolve',
      args: [],
      blockOverrides,
    } as const
    expect(await stack.revertOf(proposer, last)).toBe('NotEnoughProofs()')
  })

  test('given no proof left for 14 days, then the bond can be reclaimed', async () => {
    const proof = await player.intervalProof(game, challenger, 0, root(77))
    await play(challenger, 'nullify', proof, 0n, root(77))
    expect(await refused(proposer, 'claimCredit')).toBe('GameNotOver()')
    await player.wait(14 * day)
    await play(proposer, 'claimCredit')
    await player.wait(61)
    await play(proposer, 'claimCredit')
    expect(await stack.client.getBalance({ address: stack.contracts.delayedWETH })).toBe(0n)
  })

  test('given a TEE proof that was not asked for, then it is already proven', async () => {
    expect(await refused(proposer, 'verifyProposalProof', concatHex(['0x00', '0xaa']))).toBe(
      'AlreadyProven(0)',
    )
  })
})
