import { expect, test } from 'vitest'
import { joinBlocks } from './join-blocks.ts'
import type { BlockJson } from './json-types.ts'

const block = (number: number, hash = '0x') =>
  ({ number: `0x${number.toString(16)}`, hash }) as BlockJson

test('given blocks that were sealed while others were loaded, then none of them is lost or there twice', () => {
  const sealed = [block(12), block(11, '0xnew')]
  expect(joinBlocks(sealed, [block(11), block(10), block(9)])).toEqual([
    ...sealed,
    block(10),
    block(9),
  ])
})

test('given a reorganization meanwhile, then what it took out is not shown', () => {
  const loaded = [block(12), block(11), block(10)]
  expect(joinBlocks([block(11, '0xother')], loaded)).toEqual([block(11, '0xother'), block(10)])
})

test('given a number that was gone when it was asked for, then the others are shown', () => {
  expect(joinBlocks([], [null, block(11), block(10)])).toEqual([block(11), block(10)])
})
