import { createMPT } from '@ethereumjs/mpt'
import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_TRIE_ROOT, keccak256, keccak256Hex } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import { MemoryStore } from './memory-store.ts'
import { NodeMissing } from './node-missing.ts'
import { Trie } from './trie.ts'
import { TrieRoots } from './trie-roots.ts'

/** Keys share long prefixes, so that splits, merges and embedded nodes all come up. */
const key = fc
  .tuple(fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0x11), { minLength: 4, maxLength: 4 }))
  .map(([tail]) => concatBytes(Uint8Array.from(tail), new Uint8Array(2)))
const value = fc.uint8Array({ minLength: 1, maxLength: 40 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: fc.constant(true), key, value }) },
  { weight: 2, arbitrary: fc.record({ put: fc.constant(false), key, value }) },
)

async function independentRoot(entries: Map<Hash, Uint8Array>): Promise<Hash> {
  const trie = await createMPT()
  for (const [hex, item] of entries) await trie.put(hexToBytes(hex), item)
  return bytesToHex(trie.root())
}

describe('Trie', () => {
  test('given any puts and deletes with commits between, then root and values are as in @ethereumjs/mpt', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 6 }),
        async (rounds) => {
          const store = new MemoryStore()
          const expected = new Map<Hash, Uint8Array>()
          let kept = new Trie(store)
          let root: Hash = EMPTY_TRIE_ROOT
          for (const [index, steps] of rounds.entries()) {
            // Every other round starts from the store alone, with nothing cached.
            if (index % 2 === 1) kept = new Trie(store, root)
            for (const { put, key, value } of steps) {
              if (put) kept.put(key, value)
              else kept.delete(key)
              if (put) expected.set(bytesToHex(key), value)
              else expected.delete(bytesToHex(key))
            }
            root = kept.commit((hash, node) => store.put(hash, node))
            expect(root).toBe(await independentRoot(expected))
          }
          const fresh = new Trie(store, root)
          for (const [hex, item] of expected) expect(fresh.get(hexToBytes(hex))).toEqual(item)
        },
      ),
      { numRuns: 150, verbose: 1 },
    )
  })

  test('given tries that share decoded nodes, when any of them changes, then every root keeps its values', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ from: fc.nat(9), steps: fc.array(step, { minLength: 1, maxLength: 6 }) }),
          { minLength: 2, maxLength: 8 },
        ),
        (rounds) => {
          const store = new MemoryStore()
          const states = [{ root: EMPTY_TRIE_ROOT, entries: new Map<Hash, Uint8Array>() }]
          for (const { from, steps } of rounds) {
            const origin = states[from % states.length]!
            const trie = new Trie(store, origin.root)
            const entries = new Map(origin.entries)
            for (const { put, key, value } of steps) {
              if (put) trie.put(key, value)
              else trie.delete(key)
              if (put) entries.set(bytesToHex(key), value)
              else entries.delete(bytesToHex(key))
            }
            states.push({ root: trie.commit((hash, node) => store.put(hash, node)), entries })
          }
          for (const { root, entries } of states) {
            // A store of the same bytes with nothing decoded gives the same, and proves the same.
            const plain = { get: (hash: Hash) => store.get(hash) }
            for (const key of states.flatMap(({ entries }) => [...entries.keys()])) {
              const bytes = hexToBytes(key)
              expect(new Trie(store, root).get(bytes)).toEqual(entries.get(key))
              expect(new Trie(store, root).prove(bytes)).toEqual(new Trie(plain, root).prove(bytes))
            }
          }
        },
      ),
      { numRuns: 100, verbose: 1 },
    )
  })

  test('given a root that was read before, when it is read again, then its source is not asked', () => {
    const store = new MemoryStore()
    const trie = new Trie(store)
    for (let i = 0; i < 40; i++) trie.put(keccak256(Uint8Array.of(i)), new Uint8Array(40))
    const root = trie.commit((hash, node) => store.put(hash, node))
    let asked = 0
    const source = {
      roots: new TrieRoots(),
      get(hash: Hash) {
        asked++
        return store.get(hash)
      },
    }
    const readAll = () => {
      for (let i = 0; i < 40; i++) new Trie(source, root).get(keccak256(Uint8Array.of(i)))
    }
    readAll()
    expect(asked).toBe(store.size)
    readAll()
    expect(asked).toBe(store.size)
  })

  test('given more nodes than may be kept, then they are forgotten and read again', () => {
    const store = new MemoryStore()
    const roots = new TrieRoots(100)
    const trie = new Trie({ get: (hash) => store.get(hash), roots })
    for (let i = 0; i < 400; i++) trie.put(keccak256(Uint8Array.of(i >> 8, i)), new Uint8Array(40))
    const sink = (hash: Hash, node: Uint8Array) => store.put(hash, node)
    expect(roots.get(trie.commit(sink))).toBeUndefined()
    // The trie still holds all of it, so no root of its own may bring it back.
    trie.put(keccak256(Uint8Array.of(9, 9)), new Uint8Array(40))
    const root = trie.commit(sink)
    expect(roots.get(root)).toBeUndefined()
    const next = new Trie({ get: (hash) => store.get(hash), roots }, root)
    expect(next.get(keccak256(Uint8Array.of(0, 7)))).toEqual(new Uint8Array(40))
    expect(roots.get(root)).toBeDefined()
  })

  test('given a source that lacks nodes, when they are fetched as asked, then every operation ends as if all had been there', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(key, {
          minLength: 2,
          maxLength: 20,
          selector: (bytes) => bytesToHex(bytes),
        }),
        fc.array(step, { minLength: 1, maxLength: 20 }),
        (keys, steps) => {
          const full = new MemoryStore()
          const origin = new Trie(full)
          for (const item of keys) origin.put(item, concatBytes(item, new Uint8Array(30)))
          const root = origin.commit((hash, node) => full.put(hash, node))
          const complete = new Trie(full, root)
          const partial = new MemoryStore()
          const lacking = new Trie(partial, root)
          for (const { put, key, value } of steps) {
            if (put) complete.put(key, value)
            else complete.delete(key)
            retry(partial, full, () => (put ? lacking.put(key, value) : lacking.delete(key)))
          }
          expect(lacking.commit()).toBe(complete.commit())
        },
      ),
      { numRuns: 150, verbose: 1 },
    )
  })

  test('given a committed trie, when a key is proven, then each node hashes to what the node before it holds', () => {
    const trie = new Trie(new MemoryStore())
    for (let i = 0; i < 40; i++)
      trie.put(hexToBytes(keccak256Hex(Uint8Array.of(i))), new Uint8Array(40))
    const root = trie.commit()
    const proof = trie.prove(hexToBytes(keccak256Hex(Uint8Array.of(7))))
    expect(keccak256Hex(proof[0]!)).toBe(root)
    for (let i = 1; i < proof.length; i++) {
      expect(bytesToHex(proof[i - 1]!)).toContain(keccak256Hex(proof[i]!).slice(2))
    }
    expect(proof.length).toBeGreaterThan(1)
  })

  test('given a trie without a key, when it is deleted, then nothing needs to be written again', () => {
    const store = new MemoryStore()
    const trie = new Trie(store)
    for (let i = 0; i < 40; i++)
      trie.put(hexToBytes(keccak256Hex(Uint8Array.of(i))), new Uint8Array(40))
    const root = trie.commit()
    trie.delete(hexToBytes(keccak256Hex(Uint8Array.of(99))))
    const written: Hash[] = []
    expect(trie.commit((hash) => written.push(hash))).toBe(root)
    expect(written).toEqual([])
  })
})

function retry(partial: MemoryStore, full: MemoryStore, operation: () => void): void {
  for (;;) {
    try {
      operation()
      return
    } catch (error) {
      if (!(error instanceof NodeMissing)) throw error
      expect(partial.get(error.hash)).toBeUndefined()
      partial.put(error.hash, full.get(error.hash)!)
    }
  }
}
