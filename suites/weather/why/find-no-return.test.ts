import { expect, test } from 'vitest'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import type { Place } from '../swarm/place.ts'
import { drawFuture } from './draw-future.ts'
import { findNoReturn } from './find-no-return.ts'

const places: Place[] = [{ target: 'process:api', faults: ['stop', 'kill'] }]
const plan = parseFaultPlan({
  duration: 18_000,
  faults: [
    { at: 2_000, until: 12_000, target: 'link:client-l2', fault: 'down' },
    { at: 9_100, target: 'process:node', fault: 'kill' },
    { at: 15_000, target: 'process:host', fault: 'kill' },
  ],
})
const playing = (isRed: (plan: FaultPlan) => boolean) =>
  findNoReturn(
    plan,
    async (_, planFor) => {
      const played = planFor(places)
      const violations = isRed(played) ? [{ checker: 'c', t: 16_000, problem: 'gone' }] : []
      return { plan: played, violations, ndjson: '', duration: 0 }
    },
    4,
  )
const has = ({ faults }: FaultPlan, target: string) => faults.some((each) => each.target === target)

test('given a failure of one fault, then it is said since when that fault is there, and shares grow to all', async () => {
  const { checker, since, moments } = await playing((each) => has(each, 'process:node'))
  expect({ checker, since }).toEqual({ checker: 'c', since: 9_250 })
  expect(moments.every(({ at, failed }) => failed === (at < 9_250 ? 0 : 4))).toBe(true)
  expect(moments.map(({ at }) => at)).toContain(9_000)
})

test('given what fails in every future, then since the start; and what is escaped to the end, then never', async () => {
  expect(await playing(() => true)).toMatchObject({ since: 0 })
  expect((await playing((each) => has(each, 'process:host'))).since).toBe(15_250)
  const whole = JSON.stringify(plan)
  const escaped = await playing((each) => JSON.stringify(each) === whole)
  expect(escaped).toEqual({
    ...{ checker: 'c', seen: 16_000 },
    moments: [{ at: 16_250, failed: expect.toSatisfy((failed: number) => failed < 4), of: 4 }],
  })
})

test('given a moment, then futures have the same beginning, what lasts ends at last as planned, and the first is quiet', () => {
  const futures = Array.from({ length: 30 }, (_, number) =>
    drawFuture(plan, 10_000, number, { begun: [], places }),
  )
  for (const { faults, ...rest } of futures) {
    expect({ ...rest, faults: plan.faults }).toEqual(plan)
    expect(faults[1]).toEqual(plan.faults[1])
    expect(faults[0]).toMatchObject({ at: 2_000, target: 'link:client-l2' })
    expect(faults[0]!.until).toBeGreaterThanOrEqual(10_000)
    expect(faults[0]!.until).toBeLessThanOrEqual(12_000)
    expect(faults.slice(2).every(({ at = 0 }) => at >= 10_000)).toBe(true)
    expect(has({ ...plan, faults }, 'process:host')).toBe(false)
  }
  expect(futures[0]!.faults).toMatchObject([{ until: 10_000 }, { target: 'process:node' }])
  expect(new Set(futures.map((each) => JSON.stringify(each))).size).toBeGreaterThan(20)
})
