import { describe, expect, test } from 'vitest'
import { blockAt, blockMs, blocksOfSecond, firstFastBlock, nextBlockMs } from './block-times.ts'

// Source of all values: base/base rollup.rs and its forecast test, as published.
const times = (number: number, l2Time: number, blockTime: number, denim: number | 'genesis') => ({
  genesis: { l2: { number }, l2Time },
  blockTime,
  upgrades: { denim },
})
const chain = times(0, 10, 2, 15)
const later = times(100, 10, 2, 15)

describe('given genesis 0 at 10 s, blocks of 2 s and Denim at 15 s', () => {
  test('then block 3 is the first of 200 ms', () => {
    expect(firstFastBlock(chain)).toBe(3n)
  })

  test.each([
    [0n, 10_000n],
    [1n, 12_000n],
    [2n, 14_000n],
    [3n, 16_000n],
    [4n, 16_200n],
  ])('then block %s is due at %s ms', (number, ms) => {
    expect(blockMs(chain, number)).toBe(ms)
    expect(blockAt(chain, ms)).toBe(number)
    expect(blockAt(chain, ms + 199n)).toBe(number)
  })

  test.each([
    [9n, []],
    [12n, [1n]],
    [13n, []],
    [14n, [2n]],
    [15n, []],
    [16n, [3n, 4n, 5n, 6n, 7n]],
    [17n, [8n, 9n, 10n, 11n, 12n]],
  ])('then second %s is borne by the blocks %s', (seconds, numbers) => {
    expect(blocksOfSecond(chain, seconds)).toEqual(numbers)
  })
})

test('given genesis 100, then blocks are counted from there', () => {
  expect(firstFastBlock(later)).toBe(103n)
  expect(blocksOfSecond(later, 12n)).toEqual([101n])
  expect(blocksOfSecond(later, 16n)).toEqual([103n, 104n, 105n, 106n, 107n])
})

test('given blocks of 3 s, then successors cross from the first slot at or after the time', () => {
  const chain = times(100, 11, 3, 15)
  const successors = [100n, 101n, 105n, 106n].map((number) => {
    const next = nextBlockMs(chain, blockMs(chain, number))
    expect(next).toBe(blockMs(chain, number + 1n))
    return next
  })
  expect(successors).toEqual([14_000n, 17_000n, 17_800n, 18_000n])
})

test('given Denim from genesis or before it, then the genesis block is the first', () => {
  expect(firstFastBlock(times(7, 10, 2, 'genesis'))).toBe(7n)
  expect(firstFastBlock(times(7, 10, 2, 9))).toBe(7n)
  expect(blockMs(times(7, 10, 2, 'genesis'), 8n)).toBe(10_200n)
})

test('given no schedule, then blocks are a block time apart for ever', () => {
  const { upgrades: _, ...plain } = chain
  expect(firstFastBlock(plain)).toBeUndefined()
  expect(blockMs(plain, 500n)).toBe(1_010_000n)
  expect(nextBlockMs(plain, 1_010_000n)).toBe(1_012_000n)
})

test("given Base's mainnet, then its first block of 200 ms is one second after the fork's time", () => {
  const mainnet = times(0, 1_686_789_347, 2, 1_793_901_600)
  expect(firstFastBlock(mainnet)).toBe(53_556_127n)
  expect(blockMs(mainnet, 53_556_127n)).toBe(1_793_901_601_000n)
})

// base/base base_time.rs: seconds and milliseconds of a block and of the one after it.
test.each([
  [42_000n, 42_200n],
  [42_200n, 42_400n],
  [42_400n, 42_600n],
  [42_600n, 42_800n],
  [42_800n, 43_000n],
])('given a block of Denim at %s ms, then the next is at %s ms', (parentMs, ms) => {
  expect(nextBlockMs({ blockTime: 2, upgrades: { denim: 'genesis' } }, parentMs)).toBe(ms)
})
