import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { drawPlan } from './draw-plan.ts'
import type { Place } from './place.ts'

const NEW = 'half_open'
const SEEDS = 200

let places: Place[]
let before: FaultPlan[]
beforeAll(async () => {
  await using world = await startSimulatedWorld()
  places = world.faults.targets()
  vi.resetModules()
  vi.doMock(import('#devnet/faults/fault-catalogue'), async (original) => {
    const catalogue = await original()
    const { [NEW]: _, ...FAULTS } = catalogue.FAULTS
    return { ...catalogue, FAULTS } as typeof catalogue
  })
  const { drawPlan: drawBefore } = await import('./draw-plan.ts')
  const known = places.map(({ target, faults }) => ({
    target,
    faults: faults.filter((fault) => fault !== NEW),
  }))
  before = Array.from({ length: SEEDS }, (_, seed) => drawBefore(seed, known))
})
afterAll(() => {
  vi.doUnmock('#devnet/faults/fault-catalogue')
  vi.resetModules()
})

test('given a fault that is new in the table, then every plan without it is as it was', () => {
  const after = Array.from({ length: SEEDS }, (_, seed) => drawPlan(seed, places))
  const isNew = ({ faults }: FaultPlan) => faults.some(({ fault }) => fault === NEW)
  const changed = after.filter(
    (plan, seed) => JSON.stringify(plan) !== JSON.stringify(before[seed]),
  )
  expect(changed.filter((plan) => !isNew(plan))).toEqual([])
  expect(changed.length).toBe(after.filter(isNew).length)
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.length).toBeLessThan(SEEDS / 2)
})

test('given targets in another order, then the plans are the same', () => {
  const turned = [...places].reverse().map(({ target, faults }) => ({
    target,
    faults: [...faults].reverse(),
  }))
  for (let seed = 0; seed < 20; seed++) {
    expect(drawPlan(seed, turned)).toEqual(drawPlan(seed, places))
  }
})
