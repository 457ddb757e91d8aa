import { decode } from '@ethereumjs/rlp'
import { bytesToHex } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createExecutor } from '#protocol/execution/create-executor'
import { writeAlloc } from '#protocol/execution/genesis'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateSource, StateStore } from '#protocol/types/state'
import { PrunedStore } from './pruned-store.ts'
import { collectState } from './state-dump.ts'

/** More than anything young lives for. */
const LONG = 20
/** A state on which a fresh one stands is held at least for so many steps. */
const HELD = 9
const executor = await createExecutor({ chainId: 1n, fork: 'jovian' })
const address = (index: number): Address => `0x${(0x1000 + index).toString(16).padStart(40, '0')}`
const word = (value: number): Hash => `0x${value.toString(16).padStart(64, '0')}`

/** One account's change: to values that repeat, so that states come back that were there before. */
interface Edit {
  account: number
  what: 'balance' | 'slot' | 'code' | 'clear'
  value: number
}

const edit = fc.record<Edit>({
  account: fc.nat(12),
  what: fc.constantFrom('balance', 'slot', 'slot', 'code', 'clear'),
  value: fc.nat(3),
})

async function apply(store: StateStore, stateRoot: Hash, edits: Edit[]): Promise<Hash> {
  const scratch = executor.openScratch({ store, stateRoot })
  for (const { account, what, value } of edits) {
    const one = address(account)
    if (what === 'balance') await scratch.setBalance(one, BigInt(value))
    if (what === 'slot') await scratch.setStorage(one, word(value), word(value % 3))
    if (what === 'code') await scratch.setCode(one, Uint8Array.of(0x5f, value))
    if (what === 'clear') await scratch.clearStorage(one)
  }
  return scratch.commit()
}

/**
 * Everything a state consists of, found by following every 32-byte string that the store knows: by
 * other means than the code under test.
 */
function reachable(store: StateSource, root: Hash, found = new Set<Hash>()): Set<Hash> {
  const value = store.get(root)
  if (!value || found.has(root)) return found
  found.add(root)
  const search = (item: unknown) => {
    if (Array.isArray(item)) for (const one of item) search(one)
    else if (item instanceof Uint8Array && item.length === 32)
      reachable(store, bytesToHex(item), found)
    else if (item instanceof Uint8Array && item.length > 60) search(decode(item))
  }
  // Code here is two bytes long, and no list.
  if (value.length > 2) search(decode(value))
  return found
}

test('given any history of states of which some are retained, when the young have aged, then exactly these are there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          edits: fc.array(edit, { maxLength: 6 }),
          drop: fc.nat(4),
          isFresh: fc.boolean(),
          back: fc.oneof(fc.constant(0), fc.nat(12)),
        }),
        { maxLength: 40, size: 'max' },
      ),
      async (steps) => {
        const base = new MemoryStore()
        const everything = new MemoryStore()
        const store = new PrunedStore(base)
        const alloc = {
          [address(0)]: { balance: 5n },
          [address(1)]: { nonce: 1n, code: '0x5f00' },
        } as const
        let root = await writeAlloc(base, alloc)
        await writeAlloc(everything, alloc)
        const retained = [root]
        store.retain(root)
        for (const { edits, drop, isFresh, back } of steps) {
          // As who goes back to a snapshot.
          for (let gone = 0; gone < back && retained.length > 1; gone++) {
            store.release(retained.pop()!)
          }
          root = retained.at(-1)!
          // An intermediate state that nobody retains, as flashblocks leave them.
          const between = await apply(store, root, edits.slice(0, 2))
          await apply(everything, root, edits.slice(0, 2))
          await apply(everything, between, edits.slice(2))
          root = await apply(store, between, edits.slice(2))
          retained.push(root)
          if (isFresh) store.retainFresh(root)
          else store.retain(root)
          store.nextGeneration()
          if (drop < retained.length - HELD) store.release(retained.splice(drop, 1)[0]!)
        }
        for (let i = 0; i < LONG; i++) store.nextGeneration()
        const wanted = new Set<Hash>()
        for (const state of retained) reachable(everything, state, wanted)
        for (const hash of wanted) expect(store.get(hash)).toEqual(everything.get(hash))
        const beside = [...wanted].filter((hash) => !base.get(hash))
        expect(store.size).toBe(beside.length)
      },
    ),
    { numRuns: 100, verbose: 1 },
  )
})

test('given a state that is read only, then it stays for some generations and goes then', async () => {
  const store = new PrunedStore(new MemoryStore())
  const root = await apply(store, await writeAlloc(store, {}), [
    { account: 1, what: 'balance', value: 1 },
  ])
  for (let i = 0; i < 15; i++) store.nextGeneration()
  expect(store.get(root)).toBeDefined()
  store.nextGeneration()
  expect(store.get(root)).toBeUndefined()
})

test('given a block being built that comes back to an old state, when that state is released, then it stays', async () => {
  const store = new PrunedStore(new MemoryStore())
  const empty = await writeAlloc(store, {})
  const edits: Edit[] = [{ account: 1, what: 'code', value: 1 }]
  const old = await apply(store, empty, edits)
  store.retain(old)
  for (let i = 0; i < LONG; i++) store.nextGeneration()
  expect(await apply(store, empty, edits)).toBe(old)
  store.release(old)
  const everything = reachable(store, old)
  expect(everything.size).toBe(2)
  store.retain(old)
  for (let i = 0; i < LONG; i++) store.nextGeneration()
  expect(reachable(store, old)).toEqual(everything)
})

test('given code that has the bytes of a trie node, then what the node leads to is kept', async () => {
  const store = new PrunedStore(new MemoryStore())
  const many = Array.from(
    { length: 13 },
    (_, account): Edit => ({ account, what: 'balance', value: 1 }),
  )
  const root = await apply(store, await writeAlloc(store, {}), many)
  const scratch = executor.openScratch({ store, stateRoot: await writeAlloc(store, {}) })
  await scratch.setCode(address(50), store.get(root)!)
  const withCode = await scratch.commit()
  store.retain(withCode)
  store.retain(root)
  store.release(withCode)
  for (let i = 0; i < LONG; i++) store.nextGeneration()
  const account = executor.openScratch({ store, stateRoot: root })
  for (const { account: index } of many) expect(await account.getBalance(address(index))).toBe(1n)
})

test('given a root that is not there, then retaining it says so', () => {
  expect(() => new PrunedStore(new MemoryStore()).retain(word(7))).toThrow(
    'is not in the state source',
  )
})

test('given a state that comes bit by bit, when it is retained, or nobody wants it, then it stays, or all of it goes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: 1, maxLength: 20 }),
      fc.array(edit, { maxLength: 6 }),
      fc.boolean(),
      async (edits, others, isWanted) => {
        const elsewhere = new MemoryStore()
        const root = await apply(
          elsewhere,
          await writeAlloc(elsewhere, { [address(2)]: { balance: 5n } }),
          edits,
        )
        const base = new MemoryStore()
        const store = new PrunedStore(base)
        // States of the chain's own share values with it, come while it does, and go.
        const own = await apply(
          store,
          await writeAlloc(base, { [address(0)]: { balance: 5n } }),
          others,
        )
        store.retain(own)
        const { values } = collectState(elsewhere, 1n, root)
        for (const value of values) {
          store.admit([value])
          store.nextGeneration()
        }
        store.release(own)
        for (let age = 0; age < LONG; age += 1) store.nextGeneration()
        if (isWanted) store.retain(root)
        for (const { hash } of values) store.release(hash)
        for (let age = 0; age < LONG; age += 1) store.nextGeneration()
        expect(reachable(store, root)).toEqual(isWanted ? reachable(elsewhere, root) : new Set())
        if (isWanted) store.release(root)
        expect([store.size, store.bytes]).toEqual([0, 0])
      },
    ),
  )
})

test('given values of a state that comes bit by bit, then they count as bytes from the first to the last', () => {
  const store = new PrunedStore(new MemoryStore())
  const value = new Uint8Array(1_000)
  store.admit([{ hash: word(1), kind: 'code', value }])
  const one = store.bytes
  expect(one).toBeGreaterThanOrEqual(value.length)
  store.admit([{ hash: word(2), kind: 'code', value }])
  // Again: it is there.
  store.admit([{ hash: word(1), kind: 'code', value }])
  expect(store.bytes).toBe(2 * one)
  for (const hash of [word(1), word(2), word(1)]) store.release(hash)
  expect(store.bytes).toBe(0)
})
