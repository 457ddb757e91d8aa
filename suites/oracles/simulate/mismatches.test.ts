import { expect, test } from 'vitest'
import { mismatches, type References, resolve } from './mismatches.ts'

const references = { latest: { number: '0x1' }, 0: { hash: '0x0a' } } as References
const compare = (actual: unknown, expected: unknown) => mismatches(actual, expected, references)

test('given objects with more members than expected, then they match; lists with more elements do not', () => {
  expect(compare({ a: 1, b: 2 }, { a: 1 })).toEqual([])
  expect(compare({ a: 1 }, { a: 2 })).toEqual(['result.a: is 1, expected 2'])
  expect(compare([{ a: 1 }, {}], [{ a: 1 }])).toEqual(['result: has 2 elements, not 1'])
  expect(compare({}, { a: 1 })).toEqual(['result.a: is undefined, expected 1'])
  expect(compare(null, { a: 1 })).toEqual(['result: is null, expected {"a":1}'])
})

test('given words with a meaning, then they match what they mean and nothing else', () => {
  expect(compare({}, { a: '<absent>' })).toEqual([])
  expect(compare({ a: null }, { a: '<absent>' })).toHaveLength(1)
  expect(compare(`0x${'1'.repeat(64)}`, '<hash>')).toEqual([])
  expect(compare(`0x${'0'.repeat(64)}`, '<hash>')).toHaveLength(1)
  expect(compare('0x0a', '= 0.hash')).toEqual([])
  expect(compare('0x0b', '= 0.hash')).toHaveLength(1)
  expect(resolve('<2 zero bytes>', references)).toBe('0x0000')
  expect(resolve({ number: ['= latest.number + 15'] }, references)).toEqual({ number: ['0x10'] })
})
