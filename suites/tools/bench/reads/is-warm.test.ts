import { expect, test } from 'vitest'
import { isWarm } from './is-warm.ts'

test.each([
  ['nothing was asked yet', [], false],
  ['it was asked for two turns', [500, 500], false],
  ['each turn is cheaper than all before', [500, 300, 200, 150], false],
  ['the last turn but one was the cheapest by far', [500, 100, 120], false],
  ['two turns are no cheaper', [500, 100, 99, 101], true],
  ['it never was any cheaper', [100, 100, 100], true],
])('given %s, then warm is said as it is', (_case, costs, want) => {
  expect(isWarm(costs)).toBe(want)
})
