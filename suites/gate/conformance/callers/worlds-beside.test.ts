import { expect, test } from 'vitest'
import { worldsBeside } from './worlds-beside.ts'

test('given a machine that has other work, then callers wait until the target is judged', () => {
  expect(worldsBeside(0)).toBe(4)
  expect(worldsBeside(1.9)).toBe(4)
  expect(worldsBeside(2.1)).toBe(0)
  expect(worldsBeside(17)).toBe(0)
})
