import { verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { STORAGE } from '../../testing/contracts.ts'
import { createTestNode, word } from '../../testing/test-node.ts'

interface AccountProof {
  accountProof: Hex[]
  nonce: Hex
  storageHash: Hex
  codeHash: Hex
  storageProof: { key: Hex; value: Hex; proof: Hex[] }[]
}

/** The value under a key, by @ethereumjs/mpt; the first node must be the root's. */
async function proven(root: Hex, key: Hex, proof: Hex[]): Promise<unknown> {
  expect(keccak256(proof[0]!)).toBe(root)
  const nodes = proof.map((node) => hexToBytes(node))
  const value = await verifyMerkleProof(hexToBytes(keccak256(key)), nodes)
  return value && RLP.decode(value)
}

test('given eth_getProof, then an independent verifier finds account, slots and their absence', async () => {
  const { chain, rpc, sign } = await createTestNode()
  await chain.mine(await sign({ to: STORAGE, data: `${word(16)}${word(5).slice(2)}` }))
  const { stateRoot }: { stateRoot: Hex } = await rpc('eth_getBlockByNumber', 'latest', false)
  const proof: AccountProof = await rpc('eth_getProof', STORAGE, ['0x10', '0x11'], 'latest')
  expect(await proven(stateRoot, STORAGE, proof.accountProof)).toStrictEqual([
    Uint8Array.of(1),
    new Uint8Array(0),
    hexToBytes(proof.storageHash),
    hexToBytes(proof.codeHash),
  ])
  const [there, absent] = proof.storageProof
  expect(there).toMatchObject({ key: word(16), value: '0x5' })
  expect(await proven(proof.storageHash, word(16), there!.proof)).toStrictEqual(Uint8Array.of(5))
  expect(absent).toMatchObject({ value: '0x0' })
  expect(await proven(proof.storageHash, word(17), absent!.proof)).toBeNull()

  const nobody: Hex = `0x${'77'.repeat(20)}`
  const none: AccountProof = await rpc('eth_getProof', nobody, [], 'latest')
  expect(await proven(stateRoot, nobody, none.accountProof)).toBeNull()
  expect(none).toMatchObject({ balance: '0x0', nonce: '0x0', codeHash: keccak256('0x') })
})

test('given short storage keys, then they come back with 32 bytes; in profile base as numbers', async () => {
  const keysOf = async (profile: 'spec' | 'base') => {
    const { rpc } = await createTestNode({ profile })
    const proof: AccountProof = await rpc('eth_getProof', STORAGE, ['0x00', '0x10', word(1)])
    return proof.storageProof.map(({ key }) => key)
  }
  expect(await keysOf('spec')).toEqual([word(0), word(16), word(1)])
  expect(await keysOf('base')).toEqual(['0x0', '0x10', word(1)])
})

test('given debug_dbGet, then nodes and code come by their hash, code also under the key of geth', async () => {
  const { rpc } = await createTestNode()
  const { stateRoot }: { stateRoot: Hex } = await rpc('eth_getBlockByNumber', 'latest', false)
  expect(keccak256(await rpc('debug_dbGet', stateRoot))).toBe(stateRoot)
  const code: Hex = await rpc('eth_getCode', STORAGE, 'latest')
  expect(await rpc('debug_dbGet', keccak256(code))).toBe(code)
  expect(await rpc('debug_dbGet', `0x63${keccak256(code).slice(2)}`)).toBe(code)
  await expect(rpc('debug_dbGet', word(1))).rejects.toMatchObject({ rpcCode: -32000 })
  await expect(rpc('debug_dbGet', '0x01')).rejects.toMatchObject({ rpcCode: -32602 })
})
