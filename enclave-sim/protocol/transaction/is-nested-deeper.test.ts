import { encode, type Input } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNestedDeeper } from './is-nested-deeper.ts'

const { tree } = fc.letrec<{ tree: Input }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('tree'), { maxLength: 4 }),
  ),
}))

const depthOf = (item: Input): number =>
  Array.isArray(item) ? 1 + Math.max(0, ...item.map(depthOf)) : 0

test('given any RLP, its depth is told from below and above', () => {
  fc.assert(
    fc.property(tree, (item) => {
      const bytes = encode(item)
      const depth = depthOf(item)
      expect(isNestedDeeper(bytes, depth)).toBe(false)
      if (depth > 0) expect(isNestedDeeper(bytes, depth - 1)).toBe(true)
    }),
    { seed: 1, numRuns: 300 },
  )
})

test('given any bytes, it ends', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(typeof isNestedDeeper(bytes, 3)).toBe('boolean')
    }),
    { seed: 2 },
  )
})
