import { expect, test } from 'vitest'
import { readFigures, withRun } from './figures.ts'
import { goalStates } from './goal-states.ts'

const TITLE = 'How eth_simulateV1 grows, the devnet and a bare anvil in turns'
const ROW = 'simulateV1, 100 calls'
const run = (date: string, values: Record<string, number>) => ({
  date,
  machine: '2 × any',
  results: { [TITLE]: { [ROW]: values } },
})
const stateOf = (runs: Parameters<typeof goalStates>[0], what: string) =>
  goalStates(runs).find((goal) => goal.what === what)!

test('given nobody has measured, then no goal is met', () => {
  expect(goalStates([]).filter(({ isMet, newest }) => isMet || newest)).toEqual([])
})

test('given two runs, then the newer one counts, and of it what is enough or little enough', () => {
  const runs = [
    run('2026-01-01', { 'ours ÷ anvil': 2, 'CPU ÷ anvil': 2 }),
    run('2026-01-02', { 'ours ÷ anvil': 0.9, 'CPU ÷ anvil': 0.9 }),
  ]
  expect(stateOf(runs, 'eth_simulateV1 of 100 calls, several at once, rate ÷ anvil')).toMatchObject(
    {
      newest: { value: 0.9, date: '2026-01-02' },
      isMet: false,
    },
  )
  expect(stateOf(runs, 'eth_simulateV1 of 100 calls, CPU ÷ anvil').isMet).toBe(true)
})

test('given a run that did not come so far, then the one before it counts', () => {
  const runs = [run('2026-01-01', { 'CPU ÷ anvil': 2 }), run('2026-01-02', {})]
  expect(stateOf(runs, 'eth_simulateV1 of 100 calls, CPU ÷ anvil').newest).toMatchObject({
    date: '2026-01-01',
  })
})

test('given figures of two kinds of machines, then the newest counts, and the newest of the other is beside it', () => {
  const old = run('2026-01-01', { 'CPU ÷ anvil': 3 })
  const other = { ...run('2026-01-02', { 'CPU ÷ anvil': 2 }), machine: '8 × other' }
  const busy = { ...run('2026-01-03', { 'CPU ÷ anvil': 1 }), machine: '2 × any, load 7' }
  const goal = stateOf([old, other, busy], 'eth_simulateV1 of 100 calls, CPU ÷ anvil')
  expect(goal.newest).toMatchObject({ value: 1, machine: '2 × any, load 7' })
  expect(goal.elsewhere).toEqual([{ value: 2, date: '2026-01-02', machine: '8 × other' }])
})

test('given two runs of a day, then they are one where the machine is of the same kind', () => {
  const one = run('2026-01-01', { 'CPU ÷ anvil': 2 })
  const other = { date: one.date, machine: '2 × any, load 7', results: { Other: {} } }
  const both = { ...other, results: { ...one.results, ...other.results } }
  expect(withRun([one], other)).toEqual([both])
  const elsewhere = { ...other, machine: '8 × other' }
  expect(withRun([one], elsewhere)).toEqual([one, elsewhere])
})

test('given the figures that are kept, then each goal is about a benchmark of theirs', () => {
  const titles = new Set(readFigures().flatMap(({ results }) => Object.keys(results)))
  expect(goalStates([]).filter(({ place }) => !titles.has(place[0]))).toEqual([])
})
