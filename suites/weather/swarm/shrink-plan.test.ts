import { describe, expect, test } from 'vitest'
import { type FaultPlan, parseFaultPlan } from '#devnet/faults/fault-plan'
import { shrinkPlan } from './shrink-plan.ts'

const plan = parseFaultPlan({
  duration: 18_000,
  load: { transfers: 120, registrations: 60, proofs: 30 },
  faults: [
    { at: 8_123, until: 9_000, target: 'link:host-l1', fault: 'down' },
    { at: 8_777, until: 12_345, target: 'link:client-api', fault: 'latency', with: { latency: 7 } },
    { at: 9_001, target: 'process:api', fault: 'kill' },
    { at: 9_002, target: 'chain:l1', fault: 'reorg' },
    { at: 9_003, until: 9_900, target: 'process:host', fault: 'stop' },
  ],
})
const has = ({ faults }: FaultPlan, ...names: string[]) =>
  names.every((name) => faults.some(({ fault }) => fault === name))

describe('a red plan', () => {
  test('given that two faults and one load matter, then these are left, short and plain', async () => {
    const isRed = async (tried: FaultPlan) =>
      has(tried, 'latency', 'kill') && tried.load.registrations > 0
    const { plan: small } = await shrinkPlan(plan, isRed)
    expect(small).toEqual(
      parseFaultPlan({
        duration: 9_500,
        load: { registrations: 60 },
        faults: [
          { at: 8_500, until: 9_000, target: 'link:client-api', fault: 'latency' },
          { at: 9_000, target: 'process:api', fault: 'kill' },
        ],
      }),
    )
  })

  test('given that no fault matters, then none is left', async () => {
    const { plan: small, plays } = await shrinkPlan(plan, async () => true)
    expect(small.faults).toEqual([])
    expect(Object.values(small.load).every((rate) => rate === 0)).toBe(true)
    expect(plays).toBeLessThan(10)
  })

  test('given that everything matters, then it is left as it is, after a bounded search', async () => {
    const text = JSON.stringify(plan)
    const { plan: small, plays } = await shrinkPlan(
      plan,
      async (tried) => JSON.stringify(tried) === text,
      12,
    )
    expect(small).toEqual(plan)
    expect(plays).toBe(12)
  })

  test('given that its time or a parameter matters, then these stay', async () => {
    const isRed = async ({ duration, faults }: FaultPlan) =>
      duration >= 15_000 && faults.some(({ with: parameters }) => parameters?.latency === 7)
    const { plan: small } = await shrinkPlan(plan, isRed)
    expect(small.duration).toBeGreaterThanOrEqual(15_000)
    expect(small.faults).toMatchObject([{ fault: 'latency', with: { latency: 7 } }])
  })
})
