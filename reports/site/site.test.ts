import { describe, expect, test } from 'vitest'
import { CASE, SAMPLE_RUNS } from './sample-runs.ts'
import { siteOf } from './site-of.ts'

describe('the site of many runs', () => {
  const site = siteOf(SAMPLE_RUNS)
  const target = (name: string) => site.targets.find((each) => each.name === name)!

  test('given runs, then each target has its own in the order of time, and the trend', () => {
    expect(target('devnet').runs.map(({ passed }) => passed)).toEqual([2, 1, 1])
    expect(site.targets.map(({ name }) => name)).toEqual(['anvil', 'devnet', 'ganache'])
  })

  test('given a case that fails, then it tells since which run', () => {
    expect(target('devnet').failing).toMatchObject([
      { case: CASE, since: '2026-11-02T00:00:00.000Z' },
    ])
    expect(target('anvil').failing).toEqual([])
  })

  test('given a rule, then its row has the last verdict of each target and the history of its cases', () => {
    expect(site.rules).toMatchObject([
      { id: 'RPC-LOG-01', verdicts: { devnet: 'fail', anvil: 'pass', ganache: 'fail' } },
    ])
    expect(site.rules[0]?.cases[0]?.history).toEqual({
      devnet: ['pass', 'fail', 'fail'],
      anvil: ['pass'],
      ganache: ['fail'],
    })
  })

  test('given what a target refuses, then that is told', () => {
    expect(target('ganache').refuses).toEqual(['eth_simulateV1'])
    expect(target('anvil').refuses).toEqual([])
  })
})
