import { expect, test } from 'vitest'
import { CallsHere } from './calls-here.ts'

test('given simulations that were never too long, then up to 128 calls are for here', () => {
  const here = new CallsHere()
  expect([1, 24, 128, 129].map((calls) => here.has(calls))).toEqual([true, true, true, false])
})

test('given one of 100 calls that took too long, then 50 are for here, and 100 after 50 others', () => {
  const here = new CallsHere()
  here.tooLong(100)
  for (let asked = 1; asked < 50; asked++) expect(here.has(100)).toBe(false)
  expect(here.has(100)).toBe(true)
})

test('given a short one that took too long, then 24 calls are for here nevertheless', () => {
  const here = new CallsHere()
  here.tooLong(2)
  // Each that is asked for allows one more.
  expect([here.has(26), here.has(26)]).toEqual([false, true])
})
