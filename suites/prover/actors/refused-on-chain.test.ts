import { concatHex, type Hex, hexToBigInt, numberToHex, slice } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gameType, initBond } from '#fixtures/chain/constants'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { systemContracts } from '#fixtures/chain/system-contracts'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { gamePlayer, registerEnclave, root } from '../contracts/play-game.ts'
import { genesisRoot, type ProofStack, startProofStack } from '../contracts/proof-stack.ts'
import { enclave, signJournal, teeInitData } from '../contracts/tee-journal.ts'
import { rawV } from './scripted-prover.ts'

/** What L1 answers to actors that do it wrong, scenario by scenario. */

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const { challenger, proposer } = roleKeys
const stranger = userKeys[3]!

let stack: ProofStack
let player: ReturnType<typeof gamePlayer>

beforeAll(async () => {
  stack = await startProofStack()
  player = gamePlayer(stack)
  await registerEnclave(stack)
})
afterAll(() => stack.stop())
beforeEach(() => stack.rewindPoint())

const signedAs = (change: (signature: Hex) => Hex) => ({
  initData: (hash: Hex, number: bigint, signature: Hex) =>
    teeInitData(hash, number, change(signature)),
})

function highS(signature: Hex): Hex {
  const s = numberToHex(order - hexToBigInt(slice(signature, 32, 64)), { size: 32 })
  return concatHex([slice(signature, 0, 32), s, slice(signature, 64) === '0x1b' ? '0x1c' : '0x1b'])
}

const asOwner = (functionName: 'addDevSigner' | 'deregisterSigner', args: unknown[]) =>
  stack.send(stack.owner, {
    address: stack.contracts.teeProverRegistry,
    abi: teeProverRegistryAbi,
    functionName,
    args,
  } as never)

const blacklist = (game: Hex) =>
  stack.send(stack.owner, {
    address: stack.contracts.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    functionName: 'blacklistDisputeGame',
    args: [game],
  })

type Bent = Parameters<ReturnType<typeof gamePlayer>['refused']>[0]

describe('a proposal is refused', () => {
  test.each<[string, Bent, RegExp]>([
    ['v not raised to 27 or 28', signedAs(rawV), /^InvalidSignature/],
    ['s in the upper half', signedAs(highS), /^InvalidSignature/],
    [
      'a tampered signature (SIG-07)',
      signedAs((it) => concatHex(['0x11', slice(it, 1)])),
      /^Invalid(Signature|Signer)/,
    ],
    [
      'sent by another than the journal names (SIG-11)',
      { signed: { proposer: challenger.address } },
      /^InvalidSigner/,
    ],
    ['by one who is not listed', { creator: stranger }, /^InvalidProposer/],
    ['of another configuration', { signed: { config: root(66) } }, /^InvalidSigner/],
    [
      'with an origin that never was',
      { initData: (_, number, signature) => teeInitData(root(66), number, signature) },
      /^L1OriginHashMismatch/,
    ],
    [
      'with an origin in the future',
      { initData: (hash, _, signature) => teeInitData(hash, 1_000_000n, signature) },
      /^L1OriginInFuture/,
    ],
    ['with too small a bond', { bond: initBond - 1n }, /^IncorrectBondAmount/],
    ['with too large a bond', { bond: initBond + 1n }, /^IncorrectBondAmount/],
    ['with a byte more of extra data', { extraData: '0x00' }, /^BadExtraData/],
    ['with a root too few', { roots: [root(3)] }, /^BadExtraData/],
    ['of a block that is not due', { l2Block: 11n }, /^UnexpectedBlockNumber/],
    ['whose last root is not its claim', { rootClaim: root(4) }, /^IntermediateRootMismatch/],
    ['of a type that does not exist', { type: gameType + 1 }, /^NoImplementation/],
  ])('given %s', async (_, changed, error) => {
    expect(await player.refused(changed)).toMatch(error)
  })

  test('given a signer that was deregistered (SIG-10)', async () => {
    await asOwner('deregisterSigner', [enclave.address])
    expect(await player.refused({})).toBe(`InvalidSigner(${enclave.address})`)
  })

  test('given an enclave of another image (SIG-08, SIG-09)', async () => {
    await asOwner('addDevSigner', [enclave.address, root(66)])
    expect(await player.refused({})).toMatch(/^ImageIdMismatch/)
  })

  test('given an origin older than the history that L1 keeps', async () => {
    await stack.client.request({ method: 'anvil_mine', params: ['0x12c'] } as never)
    const origin = (await stack.client.getBlockNumber()) - 290n
    const slot = numberToHex(origin % 8191n, { size: 32 })
    const params = [systemContracts.historyStorage.address, slot, `0x${'00'.repeat(32)}`]
    await stack.client.request({ method: 'anvil_setStorageAt', params } as never)
    expect(await player.refused({ originAge: 290n })).toMatch(/^L1OriginTooOld/)
  })

  test('given a game that exists already', async () => {
    await player.create()
    expect(await player.refused({})).toMatch(/^GameAlreadyExists/)
  })

  test('given a parent that is no game', async () => {
    expect(await player.refused({ parent: stranger.address })).not.toBeUndefined()
  })

  test('given a parent that is blacklisted', async () => {
    const { address } = await player.create()
    await blacklist(address)
    const child = {
      parent: address,
      startRoot: root(2),
      startBlock: 10n,
      roots: [root(5), root(6)],
    }
    expect(await player.refused(child)).toBe('InvalidParentGame()')
  })
})

describe('a nullification is refused', () => {
  const truth = root(77)
  let game: Hex
  beforeEach(async () => {
    game = (await player.create()).address
  })

  const nullify = (by: DevKey, proof: Hex, index: bigint, claimed: Hex = truth) =>
    stack.revertOf(by, {
      ...player.game(game),
      functionName: 'nullify',
      args: [proof, index, claimed],
    })

  test('given another index than was proven', async () => {
    const proof = await player.intervalProof(game, challenger, 0, truth)
    expect(await nullify(challenger, proof, 0n)).toBeUndefined()
    expect(await nullify(challenger, proof, 1n)).toMatch(/^InvalidSigner/)
    expect(await nullify(challenger, proof, 2n)).toBe('InvalidIntermediateRootIndex()')
  })

  test('given the root that was proposed', async () => {
    const proof = await player.intervalProof(game, challenger, 0, root(1))
    expect(await nullify(challenger, proof, 0n, root(1))).toBe('IntermediateRootSameAsProposed()')
  })

  test('given a challenger that is no listed proposer', async () => {
    const proof = await player.intervalProof(game, stranger, 0, truth)
    expect(await nullify(stranger, proof, 0n)).toBe(`InvalidProposer(${stranger.address})`)
  })

  test("given a fresh L1 head instead of the game's", async () => {
    await stack.l1.mine()
    const fresh = await stack.client.getBlock()
    const signature = await signJournal({
      proposer: challenger.address,
      l1Origin: fresh.hash,
      startRoot: genesisRoot,
      startBlock: 0n,
      endRoot: truth,
      endBlock: 5n,
      roots: [truth],
    })
    expect(await nullify(challenger, concatHex(['0x00', signature]), 0n)).toMatch(/^InvalidSigner/)
  })

  test('given the same one a second time', async () => {
    const proof = await player.intervalProof(game, challenger, 0, truth)
    await stack.send(challenger, {
      ...player.game(game),
      functionName: 'nullify',
      args: [proof, 0n, truth],
    })
    expect(await nullify(challenger, proof, 0n)).toBe('MissingProof(0)')
  })

  test('given a game that is resolved', async () => {
    const proof = await player.intervalProof(game, challenger, 0, truth)
    await player.wait(5 * 86_400)
    await stack.send(proposer, { ...player.game(game), functionName: 'resolve' } as never)
    expect(await nullify(challenger, proof, 0n)).toBe('ClaimAlreadyResolved()')
  })
})
