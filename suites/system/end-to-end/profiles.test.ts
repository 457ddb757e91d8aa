import { beforeAll, describe, expect, test } from 'vitest'
import { startDevnet } from '#devnet/index'
import { PROFILE_DIFFERENCES } from '#devnet/l2/node/rpc/profile-differences'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { readDecisions } from '#fixtures/rules/read-decisions'
import { systemClock } from '#protocol/clock/system-clock'
import { CASES } from '#suites/gate/conformance/cases'
import { createTestMnemonicDriver, runConformance } from '#suites/gate/conformance/index'
import { DEPARTURES } from '#suites/house/docs/departures'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'

const rows = Object.entries(PROFILE_DIFFERENCES)
const rules = new Map(loadCatalogue().rules.map((rule) => [rule.id, rule]))

describe(`given a node of profile base, judged by the cases of profile spec that ROLLBED_DRAW=${drawnBy} draws`, () => {
  const cases = drawShare(drawnBy, CASES, 1 / 6)
  /** What each said, by its id. */
  let failing: ReadonlyMap<string, string | undefined>
  beforeAll(async () => {
    await using devnet = await startDevnet({
      ...{ enclaves: 0, plainRpc: true, profile: 'base', logLevel: 'silent' },
    })
    const { rpcUrl, wsUrl, plainRpcUrl } = devnet.description
    const targets = { rpc: rpcUrl, ws: wsUrl, rpcPlain: plainRpcUrl! }
    const clock = systemClock
    const { signal } = new AbortController()
    const driver = await createTestMnemonicDriver({ targets, clock, signal })
    const run = await runConformance({ targets, driver, clock, cases, profile: 'spec' })
    failing = new Map(
      run.cases.flatMap(({ id, verdict, reason }) =>
        verdict === 'fail' || verdict === 'non-strict' ? [[id, reason] as const] : [],
      ),
    )
  })

  test('then what fails is a difference that the page lists, and not asked of profile base', () => {
    const listed = new Set<string>(rows.flatMap(([, row]) => row.rules))
    const failed = cases.filter(({ id }) => failing.has(id))
    // Some forty of all fail.
    expect(failed.length).toBeGreaterThan(0)
    const unlisted = failed.filter((one) => !one.rules.some((rule) => listed.has(rule)))
    expect(unlisted.map(({ id }) => [id, failing.get(id)])).toEqual([])
    const asked = failed.filter(({ profiles }) => !profiles || profiles.includes('base'))
    expect(asked.map(({ id }) => id)).toEqual([])
  })
})

test('given a difference, then it is one, and of rules that there are', () => {
  for (const [name, row] of rows) {
    expect(row.spec, name).not.toBe(row.base)
    expect(row.rules.filter((rule) => !rules.has(rule))).toEqual([])
  }
})

test('given a case that is limited to a profile, then a difference names its rule', () => {
  const listed = new Set<string>(rows.flatMap(([, row]) => row.rules))
  // Today's chain has rules of its own, and no place in a table of two.
  const limited = CASES.filter(({ profiles, area }) => profiles?.length === 1 && area !== 'today')
  expect(limited.length).toBeGreaterThan(10)
  const unlisted = limited.filter((one) => !one.rules.some((rule) => listed.has(rule)))
  expect(unlisted.map(({ id }) => id)).toEqual([])
})

test('given a rule that must hold, then some case demands it, unless a decision departs from it', () => {
  const decisions = readDecisions()
  for (const { rule, open } of DEPARTURES) {
    expect(rules.has(rule), rule).toBe(true)
    expect(decisions.has(open), open).toBe(true)
  }
  const softened = [...rules.values()].filter(({ id, level }) => {
    const own = CASES.filter((one) => one.rules.includes(id))
    return level === 'must' && own.length > 0 && own.every((one) => one.level === 'should')
  })
  const departed = new Set(DEPARTURES.map(({ rule }) => rule))
  expect(softened.map(({ id }) => id).filter((id) => !departed.has(id))).toEqual([])
})
