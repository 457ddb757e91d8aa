import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { keccak256, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { commonPrefixLength, toNibbles } from '#protocol/trie/nibbles'
import { decodeNode, isHash } from '#protocol/trie/node'
import { Trie } from '#protocol/trie/trie'
import type { Hash } from '#protocol/types/bytes'
import { keyBelow } from './key-below.ts'
import { pathTo } from './path-to.ts'

const key = (number: number) => hexToBytes(keccak256(numberToHex(number, { size: 32 })))

/** A trie of `count` values that are too long to stand inside their parents. */
function trieOf(count: number) {
  const nodes = new Map<Hash, Uint8Array>()
  const trie = new Trie({ get: (hash) => nodes.get(hash) })
  for (let i = 0; i < count; i++) trie.put(key(i), new Uint8Array(40).fill(i + 1))
  trie.commit((hash, node) => nodes.set(hash, node))
  return trie
}

test('given a proof, when asked where a node beside it stands, then keys below that place pass it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(80), (count, number) => {
      const trie = trieOf(count)
      const proof = trie.prove(key(number))
      for (const encoded of proof) {
        const node = decodeNode(encoded)
        const children = node.kind === 'branch' ? node.children : []
        for (const child of children.filter(isHash)) {
          const path = pathTo(bytesToHex(child), proof, key(number))!
          const below = Array.from({ length: count }, (_, i) => i).filter((i) => {
            return commonPrefixLength(toNibbles(key(i)), path) === path.length
          })
          expect(below.length).toBeGreaterThan(0)
          for (const i of below)
            expect(trie.prove(key(i)).map((each) => keccak256(each))).toContain(bytesToHex(child))
        }
      }
    }),
    { seed: 4, numRuns: 40 },
  )
})

test('given a node that no node of the proof points to, then it has no place', () => {
  expect(pathTo(keccak256('0x'), trieOf(9).prove(key(3)), key(3))).toBeUndefined()
  expect(pathTo(keccak256('0x'), [Uint8Array.of(0xc0)], key(3))).toBeUndefined()
  expect(pathTo(keccak256('0x'), [], key(3))).toBeUndefined()
})

test.each([20, 32] as const)(
  'given a path of up to three half-bytes, then a key of %i bytes is found below it; a path of six is too long',
  async (size) => {
    for (const path of [[], [3], [15, 0], [1, 2, 3]]) {
      const found = (await keyBelow(Uint8Array.from(path), { size }))!
      expect(found).toHaveLength(2 + 2 * size)
      const hash = toNibbles(hexToBytes(keccak256(found)))
      expect([...hash.subarray(0, path.length)]).toEqual(path)
    }
    expect(await keyBelow(new Uint8Array(6), { size })).toBeUndefined()
  },
)
