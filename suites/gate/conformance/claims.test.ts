import { expect, test } from 'vitest'
import { areasOf, CLAIMS, type Claim } from './claims.ts'
import { AREAS } from './conformance-case.ts'

test('given all claims, then each area is of one of them, and of no other', () => {
  const all = Object.values(CLAIMS).flat()
  expect(all.toSorted()).toEqual([...AREAS].toSorted())
  expect([...areasOf(Object.keys(CLAIMS) as Claim[])].toSorted()).toEqual([...AREAS].toSorted())
})
