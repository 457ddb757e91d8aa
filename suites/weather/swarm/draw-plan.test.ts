import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { drawPlan } from './draw-plan.ts'
import { drawWorld } from './draw-world.ts'
import type { Place } from './place.ts'
import { Reached } from './reached.ts'

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

test('given seeds, then about a fourth of their worlds cross to blocks of 200 ms, each seed always the same', () => {
  const worlds = Array.from({ length: SEEDS }, (_, seed) => drawWorld(seed))
  expect(worlds).toEqual(Array.from({ length: SEEDS }, (_, seed) => drawWorld(seed)))
  const crossing = worlds.filter(({ upgrades }) => upgrades)
  expect(crossing.length).toBeGreaterThan(SEEDS / 8)
  expect(crossing.length).toBeLessThan(SEEDS / 2)
})

test('given a world that crosses, then a plan has the faults and the load of its seed, unless it aims at what only such a world has', () => {
  const crossing = { upgrades: { denim: 'block 5' } } as const
  const plain = Array.from({ length: 100 }, (_, seed) => drawPlan(seed, places))
  const crossed = plain.map(({ seed }) => drawPlan(seed, places, new Reached(), crossing))
  expect(crossed.every(({ world }) => world.upgrades?.denim === 'block 5')).toBe(true)
  const same = crossed.filter(
    ({ faults, load }, seed) =>
      JSON.stringify({ faults, load }) ===
      JSON.stringify({ faults: plain[seed]!.faults, load: plain[seed]!.load }),
  )
  expect(same.length).toBeGreaterThan(plain.length / 2)
  expect(same.length).toBeLessThan(plain.length)
})

test('given a short window for batches, then the clock of the sequencer is ahead by half of it at most', () => {
  const clocks: Place[] = [{ target: 'clock:node', faults: ['skew', 'jump'] }]
  const short = { blockTime: 1, sequencerWindow: 6 }
  const plans = Array.from({ length: 50 }, (_, seed) =>
    drawPlan(seed, clocks, new Reached(), short),
  )
  const ahead = plans.map(({ faults }) =>
    faults
      .filter(({ target }) => target === 'clock:node')
      .reduce((sum, each) => sum + Number(each.with?.by), 0),
  )
  expect(Math.max(...ahead)).toBe(3_000)
  expect(plans.some(({ faults }) => faults.length > 1)).toBe(true)
})

test('given several faults of its clock, then the sequencer is ahead by no more than one of them tells', () => {
  const clocks: Place[] = [{ target: 'clock:node', faults: ['skew', 'jump'] }]
  const plans = Array.from(
    { length: 50 },
    (_, seed) => drawPlan(seed, clocks, new Reached()).faults,
  )
  const several = plans.filter(({ length }) => length > 1)
  expect(several.length).toBeGreaterThan(5)
  for (const faults of several)
    expect(faults.reduce((sum, each) => sum + Number(each.with?.by), 0)).toBeLessThanOrEqual(30_000)
})

test('given a short window for batches, then the clock of the sequencer is not ahead where L1 stops', () => {
  const places: Place[] = [
    { target: 'clock:node', faults: ['skew', 'jump'] },
    { target: 'process:l1', faults: ['stop'] },
  ]
  const targetsOf = (world: { blockTime: number; sequencerWindow?: number }) =>
    Array.from({ length: 50 }, (_, seed) =>
      drawPlan(seed, places, new Reached(), world).faults.map(({ target }) => target),
    )
  const areBoth = (targets: readonly string[]) =>
    places.every(({ target }) => targets.includes(target))
  expect(targetsOf({ blockTime: 1 }).some(areBoth)).toBe(true)
  expect(targetsOf({ blockTime: 1, sequencerWindow: 6 }).some(areBoth)).toBe(false)
})
