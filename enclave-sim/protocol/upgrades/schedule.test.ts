import { expect, test } from 'vitest'
import { firstOf, isActive, rulesAt } from './schedule.ts'

const schedule = { azul: 'genesis', denim: 15 } as const

// Source: base/base rollup.rs: active iff the block's seconds are not below the configured time.
test.each([
  [14_999n, false],
  [15_000n, true],
  [15_200n, true],
])('given Denim at 15 s, when a block is at %s ms, then it holds: %s', (ms, holds) => {
  expect(isActive(schedule, 'denim', ms)).toBe(holds)
})

test('given no entry, or never, then an upgrade does not hold; from genesis it always does', () => {
  expect(isActive(undefined, 'azul', 10n ** 15n)).toBe(false)
  expect(isActive({ azul: 'never' }, 'azul', 10n ** 15n)).toBe(false)
  expect(isActive(schedule, 'azul', 0n)).toBe(true)
})

test('given upgrades that stand alone, then one brings no other along', () => {
  expect(rulesAt({ denim: 'genesis' }, 0n)).toMatchObject({
    hasOsakaEvm: false,
    hasBaseTime: true,
    blockInterval: 200n,
  })
})

test('given a parent before and a block after, then it is the first of what came between', () => {
  expect(firstOf(schedule, 14_000n, 16_000n)).toEqual(['denim'])
  expect(firstOf(schedule, 16_000n, 16_200n)).toEqual([])
  expect(firstOf(schedule, 12_000n, 14_000n)).toEqual([])
})
