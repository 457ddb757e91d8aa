import fc from 'fast-check'
import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { IntervalZero, sampleRoots } from '#protocol/journal/sampling'

/** Blocks after `start`, each with a root that tells its number. */
const blocksAfter = (start: bigint, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = start + BigInt(index + 1)
    return { number, hash: rootAt(-1n), outputRoot: rootAt(number) }
  })

const rootAt = (number: bigint) => numberToHex(number + (1n << 128n), { size: 32 })

/** start + i·interval for i = 1, 2, … while inside (start, end]. */
function heights(start: bigint, end: bigint, interval: bigint): bigint[] {
  const found: bigint[] = []
  for (let at = start + interval; at <= end; at += interval) found.push(at)
  return found
}

describe('intermediate roots', () => {
  test('given every range up to 40 blocks at every interval up to 45, then they stand at the stride, in order (JRN-15, JRN-16)', () => {
    for (const start of [0n, 999n]) {
      for (let count = 2; count <= 40; count += 1) {
        const blocks = blocksAfter(start, count)
        for (let interval = 1n; interval <= 45n; interval += 1n) {
          const expected = heights(start, start + BigInt(count), interval).map(rootAt)
          expect(sampleRoots(blocks, interval)).toEqual(expected)
        }
      }
    }
  })

  test('given two starts, then the length of the range counts, not where it starts (OPEN-50)', () => {
    const starts = fc.bigInt(0n, 1n << 63n)
    fc.assert(
      fc.property(
        starts,
        starts,
        fc.integer({ min: 2, max: 200 }),
        fc.bigInt(1n, 250n),
        (one, other, count, interval) => {
          const from = (start: bigint) =>
            sampleRoots(blocksAfter(start, count), interval).map(
              (root) => BigInt(root) - (1n << 128n) - start,
            )
          expect(from(one)).toEqual(from(other))
          expect(from(one)).toHaveLength(Math.floor(count / Number(interval)))
        },
      ),
    )
  })

  test('given an interval that divides the range, then they end with the last root, and only then', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 120 }),
        fc.integer({ min: 1, max: 120 }),
        (count, interval) => {
          const sampled = sampleRoots(blocksAfter(7n, count), BigInt(interval))
          expect(sampled.at(-1) === rootAt(7n + BigInt(count))).toBe(count % interval === 0)
        },
      ),
    )
  })

  test('given one block at any interval, zero too, then there are none (JRN-12, OPEN-53)', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 1n << 64n), (interval) => {
        expect(sampleRoots(blocksAfter(5n, 1), interval)).toEqual([])
      }),
    )
  })

  test('given more blocks at interval zero, then they are refused (OPEN-52)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 50 }), (count) => {
        expect(() => sampleRoots(blocksAfter(5n, count), 0n)).toThrow(IntervalZero)
      }),
    )
  })
})
