import { hexToBytes } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { keccak256 } from '../crypto/keccak.ts'
import { MemoryStore } from '../trie/memory-store.ts'
import type { Hash } from '../types/bytes.ts'
import { writeAlloc } from './genesis.ts'
import { WorldHost } from './world-host.ts'
import { WorldState } from './world-state.ts'

const CONTRACT = '0x00000000000000000000000000000000000c0de0'
const NOBODY = `0x${'9'.repeat(40)}` as const
const ONE = `0x${'0'.repeat(63)}1` as const
const ZERO = `0x${'0'.repeat(64)}` as const
const CODE = hexToBytes('0x60015500')

async function stored() {
  const store = new MemoryStore()
  const root = await writeAlloc(store, {
    [CONTRACT]: { nonce: 3n, balance: 7n, code: '0x60015500', storage: { [ONE]: ONE } },
  })
  return { store, root }
}

test('given a stored contract, then account, slot and code are told', async () => {
  const { store, root } = await stored()
  const host = new WorldHost(new WorldState(store, root))
  expect(host.account(CONTRACT)).toEqual({
    nonce: 3n,
    balance: 7n,
    codeHash: keccak256(CODE),
    hasStorage: true,
  })
  expect(host.slot(CONTRACT, ONE)).toEqual(Uint8Array.of(1))
  expect(host.slot(CONTRACT, ZERO)).toEqual(new Uint8Array(0))
  expect(host.code(CONTRACT)).toEqual(CODE)
})

test('given nobody, then the account has nothing', async () => {
  const { store, root } = await stored()
  const host = new WorldHost(new WorldState(store, root))
  expect(host.account(NOBODY)).toEqual({
    nonce: 0n,
    balance: 0n,
    codeHash: keccak256(new Uint8Array(0)),
    hasStorage: false,
  })
})

test('given a store that has to fetch, then values are not at hand until they were fetched', async () => {
  const { store, root } = await stored()
  const fetched = new Map<Hash, Uint8Array>()
  const far = {
    get: (hash: Hash) => fetched.get(hash),
    fetch: async (hash: Hash) => void fetched.set(hash, store.get(hash)!),
  }
  const world = new WorldState(far, root)
  const host = new WorldHost(world)
  expect(host.account(CONTRACT)).toBeUndefined()
  const entry = await world.entry(CONTRACT)
  expect(host.account(CONTRACT)).toMatchObject({ nonce: 3n })
  expect(host.code(CONTRACT)).toBeUndefined()
  await world.code(entry)
  expect(host.code(CONTRACT)).toEqual(CODE)
})
