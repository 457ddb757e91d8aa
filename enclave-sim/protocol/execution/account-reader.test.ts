import { verifyMerkleProof } from '@ethereumjs/mpt'
import { encode } from '@ethereumjs/rlp'
import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, test } from 'vitest'
import { MemoryStore } from '../trie/memory-store.ts'
import type { Alloc } from '../types/account.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { encodeAccount } from './account-codec.ts'
import { proveAccount, readAccount, readCode, readStorage } from './account-reader.ts'
import { writeAlloc } from './genesis.ts'

const CONTRACT = address(40)
const alloc: Alloc = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [address(index), { balance: BigInt(index + 1) }]),
)
alloc[CONTRACT] = {
  nonce: 1n,
  code: '0x6001',
  storage: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [slot(i), slot(i * 1000 + 1)])),
}

function address(index: number): Address {
  return `0x${index.toString(16).padStart(40, '0')}`
}

function slot(index: number): Hash {
  return `0x${index.toString(16).padStart(64, '0')}`
}

async function state() {
  const store = new MemoryStore()
  return { store, root: await writeAlloc(store, alloc) }
}

describe('an account at a state root', () => {
  test('then nonce, balance, code and storage are as allocated', async () => {
    const { store, root } = await state()
    expect(readAccount(store, root, address(7))).toMatchObject({ nonce: 0n, balance: 8n })
    expect(readAccount(store, root, address(99))).toBeUndefined()
    expect(readCode(store, root, CONTRACT)).toEqual(Uint8Array.of(0x60, 1))
    expect(readCode(store, root, address(99))).toEqual(new Uint8Array(0))
    expect(readStorage(store, root, CONTRACT, slot(3))).toBe(slot(3001))
    expect(readStorage(store, root, CONTRACT, slot(77))).toBe(slot(0))
    expect(readStorage(store, root, address(99), slot(0))).toBe(slot(0))
  })

  test('then @ethereumjs/mpt accepts its proofs, of what is there and of what is not', async () => {
    const { store, root } = await state()
    const check = (from: Hash, key: Hash, proof: Uint8Array[]) =>
      verifyMerkleProof(hexToBytes(key), proof, {
        useKeyHashing: true,
        root: hexToBytes(from),
      } as never)
    const proof = proveAccount(store, root, CONTRACT, [slot(3), slot(77)])
    expect(await check(root, CONTRACT, proof.accountProof)).toEqual(encodeAccount(proof.account))
    const [present, absent] = proof.storageProof
    const { storageRoot } = proof.account
    expect(await check(storageRoot, slot(3), present!.proof)).toEqual(encode(3001))
    expect(await check(storageRoot, slot(77), absent!.proof)).toBeNull()
    const nobody = proveAccount(store, root, address(99))
    expect(nobody.exists).toBe(false)
    expect(await check(root, address(99), nobody.accountProof)).toBeNull()
  })
})
