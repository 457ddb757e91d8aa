import { expect, test } from 'vitest'
import { isWarm } from './is-warm.ts'

test.each([
  ['nothing was asked yet', [], false],
  ['it was asked for four turns', [500, 500, 500, 500], false],
  ['each turn is cheaper than all before', [500, 300, 200, 150, 120], false],
  ['one of the last four was the cheapest by far', [500, 100, 120, 110, 105], false],
  ['three were dear by chance, and it goes on', [400, 190, 140, 180, 160, 280, 130], false],
  ['four turns are no cheaper', [500, 100, 99, 101, 98, 102], true],
  ['it never was any cheaper', [100, 100, 100, 100, 100], true],
])('given %s, then that says whether it is warm', (_case, costs, want) => {
  expect(isWarm(costs)).toBe(want)
})
