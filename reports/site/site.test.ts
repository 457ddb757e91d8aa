import { describe, expect, test } from 'vitest'
import { sampleCase } from '#reports/sample-run'
import { CASE, KNOWN, SAMPLE_RUNS } from './sample-runs.ts'
import { siteOf } from './site-of.ts'
import { toSiteHtml } from './to-site-html.ts'

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

  test('given what an expectations file excuses, then it is counted and told with its reason, not hidden', () => {
    expect(target('anvil').runs.at(-1)).toMatchObject({ passed: 2, failed: 0, known: 1 })
    expect(target('anvil').known).toEqual([{ case: KNOWN, reason: 'anvil has no drift.' }])
    expect(target('anvil').refuses).toEqual(['eth_driftOf'])
    expect(toSiteHtml(site)).toContain('anvil has no drift.')
  })

  test('given a rule with a case that passed and one that was set aside, then the rule passed', () => {
    const aside = sampleCase({ id: 'rpc.log.aside.01', verdict: 'not-applicable' })
    const [{ run }] = SAMPLE_RUNS as [(typeof SAMPLE_RUNS)[number]]
    const [rule] = run.rules as [(typeof run.rules)[number]]
    const both = {
      ...run,
      cases: [...run.cases, aside],
      rules: [{ ...rule, cases: [...rule.cases, aside.id], verdict: 'not-applicable' as const }],
    }
    expect(siteOf([{ target: 'devnet', run: both }]).rules).toMatchObject([
      { verdicts: { devnet: 'pass' } },
    ])
  })

  test('given what a target refuses, then that is told', () => {
    expect(target('ganache').refuses).toEqual(['eth_simulateV1'])
  })

  test('given where runs and builds lie, then the page leads there, and to the exchanges of what fails', () => {
    const runs = SAMPLE_RUNS.map((each) => ({
      ...each,
      run: { ...each.run, build: 'abc123' },
      file: `runs/${each.target}/1.json`,
    }))
    const page = toSiteHtml(siteOf(runs), { commits: 'https://git.example/commit/' })
    expect(page).toContain('href="runs/devnet/1.json"')
    expect(page).toContain(`href="runs/devnet/last.html#/case/${CASE}"`)
    expect(page).toContain('href="https://git.example/commit/abc123"')
  })
})
