import { concatHex, type Hex, hexToBigInt, numberToHex, slice, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerDevSigners } from '#devnet/l1/register-dev-signers'
import { gameType, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { genesisRoot, imageHash, type ProofStack, startProofStack } from './proof-stack.ts'
import { enclave, journalHash, signJournal, type Transition } from './tee-journal.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const transition: Transition = {
  proposer: roleKeys.proposer.address,
  l1Origin: `0x${'22'.repeat(32)}`,
  startRoot: genesisRoot,
  startBlock: 0n,
  endRoot: `0x${'44'.repeat(32)}`,
  endBlock: 10n,
  roots: [],
}
const stranger = userKeys[9]!

let stack: ProofStack
let signature: Hex

beforeAll(async () => {
  stack = await startProofStack()
  const owner = { rpcUrl: stack.l1.rpcUrl, chainId: l1ChainId, mine: () => stack.l1.mine() }
  await registerDevSigners(owner, [{ signer: enclave.address, imageHash }])
  signature = await signJournal(transition)
})

afterAll(() => stack.stop())

function verify(proof: Hex, imageId = imageHash, journal = journalHash(transition)) {
  return {
    address: stack.contracts.teeVerifier,
    abi: teeVerifierAbi,
    functionName: 'verify',
    args: [proof, imageId, journal],
  } as const
}

/** The same signature with the other s, which also recovers to the signer. */
function malleable(original: Hex): Hex {
  const s = numberToHex(order - hexToBigInt(slice(original, 32, 64)), { size: 32 })
  const v = slice(original, 64) === '0x1b' ? '0x1c' : '0x1b'
  return concatHex([slice(original, 0, 32), s, v])
}

describe('TEEVerifier.verify', () => {
  const proposer = transition.proposer

  test('given a journal signed by a registered enclave, then it accepts', async () => {
    const call = verify(concatHex([proposer, signature]))
    expect(await stack.client.readContract(call)).toBe(true)
  })

  test('given bytes after the signature, then it ignores them', async () => {
    const call = verify(concatHex([proposer, signature, '0xdeadbeef']))
    expect(await stack.client.readContract(call)).toBe(true)
  })

  test.each<[string, () => Hex, string]>([
    ['84 bytes', () => slice(concatHex([proposer, signature]), 0, 84), 'InvalidProofFormat()'],
    [
      'v as 0 or 1',
      () => concatHex([proposer, slice(signature, 0, 64), '0x00']),
      'InvalidSignature()',
    ],
    ['the malleable s', () => concatHex([proposer, malleable(signature)]), 'InvalidSignature()'],
    [
      'r and s of zero',
      () => concatHex([proposer, `0x${'00'.repeat(64)}`, '0x1b']),
      'InvalidSignature()',
    ],
    [
      'a proposer who is not allowed',
      () => concatHex([stranger.address, signature]),
      `InvalidProposer(${stranger.address})`,
    ],
    [
      'a bad signature and a bad proposer, the signature counts first',
      () => concatHex([stranger.address, malleable(signature)]),
      'InvalidSignature()',
    ],
  ])('given %s, then it reverts', async (_, proof, error) => {
    expect(await stack.revertOf(stranger, verify(proof()))).toBe(error)
  })

  test('given a key that is not registered, then it names that key', async () => {
    const proof = concatHex([proposer, await signJournal(transition, stranger.privateKey)])
    expect(await stack.revertOf(stranger, verify(proof))).toBe(`InvalidSigner(${stranger.address})`)
  })

  test('given another journal, then the signer is somebody else', async () => {
    const other = journalHash({ ...transition, endBlock: 11n })
    const error = await stack.revertOf(
      stranger,
      verify(concatHex([proposer, signature]), imageHash, other),
    )
    expect(error).toMatch(/^InvalidSigner\(0x/)
    expect(error).not.toContain(enclave.address)
  })

  test('given another image, then both images are named (SIG-08)', async () => {
    const other: Hex = `0x${'2b'.repeat(32)}`
    expect(await stack.revertOf(stranger, verify(concatHex([proposer, signature]), other))).toBe(
      `ImageIdMismatch(${imageHash}, ${other})`,
    )
  })

  test('given a caller that is no game, when it nullifies, then it reverts', async () => {
    const call = { ...verify('0x'), functionName: 'nullify', args: [] } as const
    expect(await stack.revertOf(stranger, call)).toBeDefined()
  })
})

describe('TEEProverRegistry', () => {
  const registry = () => ({ address: stack.contracts.teeProverRegistry, abi: teeProverRegistryAbi })

  test('given the dev signer, then it is registered and valid for the current image', async () => {
    const read = (functionName: 'isRegisteredSigner' | 'isValidSigner' | 'signerImageHash') =>
      stack.client.readContract({ ...registry(), functionName, args: [enclave.address] })
    expect(await read('isRegisteredSigner')).toBe(true)
    expect(await read('isValidSigner')).toBe(true)
    expect(await read('signerImageHash')).toBe(imageHash)
  })

  test('given a signer of another image, then it is registered but not valid', async () => {
    const { send, owner, client } = stack
    const signer = userKeys[8]!.address
    const other: Hex = `0x${'2b'.repeat(32)}`
    await send(owner, { ...registry(), functionName: 'addDevSigner', args: [signer, other] })
    const args = [signer] as const
    expect(
      await client.readContract({ ...registry(), functionName: 'isRegisteredSigner', args }),
    ).toBe(true)
    expect(await client.readContract({ ...registry(), functionName: 'isValidSigner', args })).toBe(
      false,
    )
    await send(owner, { ...registry(), functionName: 'deregisterSigner', args })
    const left = await client.readContract({ ...registry(), functionName: 'getRegisteredSigners' })
    expect(left.map((address) => address.toLowerCase())).toEqual([enclave.address])
  })

  test('given two images at once, then signers of both are valid until the new one is alone (ROT-02)', async () => {
    const { send, owner, client } = stack
    const signer = userKeys[8]!.address
    const other: Hex = `0x${'2b'.repeat(32)}`
    const isValid = (address: Hex) =>
      client.readContract({ ...registry(), functionName: 'isValidSigner', args: [address] })
    const both = () => Promise.all([isValid(enclave.address), isValid(signer)])
    await send(owner, { ...registry(), functionName: 'addDevSigner', args: [signer, other] })
    await send(owner, { ...registry(), functionName: 'setDevImage', args: [other, true] })
    expect(await both()).toEqual([true, true])
    await send(owner, { ...registry(), functionName: 'setDevImage', args: [other, false] })
    expect(await both()).toEqual([true, false])
    await send(owner, { ...registry(), functionName: 'deregisterSigner', args: [signer] })
  })

  const notOwner = 'OwnableManaged: caller is not the owner'
  const initializedTwice = 'Initializable: contract is already initialized'
  test.each([
    ['addDevSigner', [stranger.address, imageHash], notOwner],
    ['setProposer', [stranger.address, true], notOwner],
    ['setDevImage', [imageHash, true], notOwner],
    ['renounceOwnership', [], notOwner],
    ['renounceManagement', [], `${notOwner} or the manager`],
    ['transferManagement', [stranger.address], `${notOwner} or the manager`],
    ['setGameType', [1], notOwner],
    ['deregisterSigner', [enclave.address], `${notOwner} or the manager`],
    ['registerSigner', ['0x', '0x'], `${notOwner} or the manager`],
    ['initialize', [stranger.address, stranger.address, [], 1], initializedTwice],
  ] as const)('given a stranger, when it calls %s, then it reverts', async (name, args, error) => {
    const call = { ...registry(), functionName: name, args } as never
    expect(await stack.revertOf(stranger, call)).toBe(error)
  })

  test('given a game type without an implementation, then its image cannot be read', async () => {
    const call = { ...registry(), functionName: 'setGameType', args: [7] } as const
    expect(await stack.revertOf(stack.owner, call)).toBe('ImageHashReadFailed()')
  })

  test('given an implementation without an image, then its game type is refused', async () => {
    const imageless = await startProofStack({ teeImageHash: zeroHash })
    try {
      const address = imageless.contracts.teeProverRegistry
      const call = {
        ...registry(),
        address,
        functionName: 'setGameType',
        args: [gameType],
      } as const
      expect(await imageless.revertOf(imageless.owner, call)).toBe('InvalidGameType()')
    } finally {
      await imageless.stop()
    }
    const call = { ...registry(), functionName: 'setGameType', args: [gameType] } as const
    expect(await stack.revertOf(stack.owner, call)).toBeUndefined()
  })

  test('given no attestation verifier, when the manager registers, then it reverts', async () => {
    const call = { ...registry(), functionName: 'registerSigner', args: ['0x01', '0x02'] } as const
    expect(await stack.revertOf(roleKeys.registrar, call)).toBe('AttestationVerificationFailed()')
  })
})
