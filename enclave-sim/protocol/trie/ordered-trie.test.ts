import { createMPT } from '@ethereumjs/mpt'
import { encode } from '@ethereumjs/rlp'
import { bytesToHex } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_TRIE_ROOT } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'
import { orderedTrieNodes, orderedTrieRoot, readOrderedTrie } from './ordered-trie.ts'

const lists = fc.oneof(
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 5 }),
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 120, maxLength: 140 }),
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 3 }), { minLength: 250, maxLength: 270 }),
)

describe('orderedTrieRoot', () => {
  test('given any list, then the root is that of @ethereumjs/mpt and the list can be read back', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (values) => {
        const expected = await createMPT()
        for (const [index, value] of values.entries()) await expected.put(encode(index), value)
        const { root, nodes } = orderedTrieNodes(values)
        expect(root).toBe(bytesToHex(expected.root()))
        expect(orderedTrieRoot(values)).toBe(root)
        expect(await readOrderedTrie(root, from(nodes))).toEqual(values)
      }),
      { numRuns: 30, verbose: 1 },
    )
  })

  test('given an empty list, then the root is that of the empty trie', async () => {
    expect(orderedTrieRoot([])).toBe(EMPTY_TRIE_ROOT)
    expect(await readOrderedTrie(EMPTY_TRIE_ROOT, from(new Map()))).toEqual([])
  })

  test('given a trie with a gap in its keys, when it is read, then it is refused', async () => {
    await expect(readTrieOf([encode(0), encode(2)])).rejects.toMatchObject(MALFORMED)
  })

  test.each([
    ['is no RLP', [0x81, 0x01]],
    ['is a list', [0xc0]],
    ['is longer than any index', [0x85, 1, 1, 1, 1, 1]],
  ])('given a trie with a key that %s, when it is read, then it is refused', async (_, key) => {
    await expect(readTrieOf([Uint8Array.from(key)])).rejects.toMatchObject(MALFORMED)
  })
})

const MALFORMED = { code: 'ORDERED_TRIE_MALFORMED' }

/** What is read of a trie that somebody else's code has made, with these keys. */
async function readTrieOf(keys: Uint8Array[]) {
  const trie = await createMPT()
  for (const key of keys) await trie.put(key, new Uint8Array(40))
  const get = async (hash: Hash) => (await trie.database().db.get(hash.slice(2))) as never
  return await readOrderedTrie(bytesToHex(trie.root()), async (hash) => {
    const node = await get(hash)
    return typeof node === 'string' ? Uint8Array.from(Buffer.from(node, 'hex')) : node
  })
}

function from(nodes: Map<Hash, Uint8Array>) {
  return async (hash: Hash) => {
    const node = nodes.get(hash)
    if (!node) throw new Error(`no node ${hash}`)
    return node
  }
}
