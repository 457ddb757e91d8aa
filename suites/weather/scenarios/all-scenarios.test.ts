import { expect, test } from 'vitest'
import { FAULT_TARGETS } from '../../../devnet/faults/fault-targets.ts'
import { loadCatalogue } from '../../../fixtures/rules/catalogue.ts'
import { allScenarios } from './all-scenarios.ts'

test('given the list, then it has at least 60 scenarios, 25 of which can be played for real, each by its own name', () => {
  expect(new Set(allScenarios.map(({ name }) => name)).size).toBe(allScenarios.length)
  expect(allScenarios.length).toBeGreaterThanOrEqual(60)
  expect(
    allScenarios.filter(({ bodies }) => bodies.includes('real')).length,
  ).toBeGreaterThanOrEqual(25)
})

test('given a rule that is named, then it is in the catalogue', () => {
  const known = new Set(loadCatalogue().rules.map(({ id }) => id))
  expect(allScenarios.flatMap(({ rules }) => rules).filter((id) => !known.has(id))).toEqual([])
})

test('given any link, then it is down, slow and cut in a scenario', () => {
  const links = Object.keys(FAULT_TARGETS)
    .map((name) => name.replace('*', '16'))
    .filter((name) => name.startsWith('link:') && name !== 'link:actor-l1')
  for (const fault of ['down', 'latency', 'limit_data']) {
    const befallen = allScenarios.flatMap(({ plan }) =>
      plan.faults.filter((each) => each.fault === fault).map(({ target }) => target),
    )
    expect(links.filter((link) => !befallen.includes(link))).toEqual([])
  }
})

test('given a fault, then it is over before its scenario is', () => {
  const late = allScenarios.filter(({ plan }) =>
    plan.faults.some(({ at = 0, until = at }) => Math.max(at, until) >= plan.duration),
  )
  expect(late.map(({ name }) => name)).toEqual([])
})
