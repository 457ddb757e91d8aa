import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CaseResult, Verdict } from '#reports/model'
import { applyExpectations, describeForStrict } from './apply-expectations.ts'
import { exitCode } from './exit-code.ts'
import { BadExpectations, loadExpectations } from './expectations.ts'
import { matchesId, selectCases } from './select-cases.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function file(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-expect-'))
  folders.push(folder)
  await writeFile(join(folder, 'expect.yaml'), text)
  return join(folder, 'expect.yaml')
}

const entry = { case: 'rpc.block.*', reason: 'known', expires: '2026-12-31' }
const judged = (id: string, verdict: Verdict) => ({ id, verdict }) as CaseResult

const known = ['rpc.block.hash.01', 'rpc.call.to.01']

function apply(results: CaseResult[], today = '2026-11-21', ids = known) {
  const outcome = applyExpectations({ results, expectations: [entry], today, known: ids })
  const run = { cases: outcome.results, staleExpectations: outcome.stale }
  return { ...outcome, exit: exitCode(run as Parameters<typeof exitCode>[0]) }
}

describe('the expectations file', () => {
  it('given a list of cases with reason and expiry, then it is read', async () => {
    const path = await file('- {case: "rpc.block.*", reason: known, expires: 2026-12-31}')
    expect(await loadExpectations(path)).toEqual([entry])
    expect(await loadExpectations(await file(''))).toEqual([])
  })

  it.each([
    ['no reason', '- {case: x, expires: 2026-12-31}'],
    ['no expiry', '- {case: x, reason: y}'],
    ['an ill-formed day', '- {case: x, reason: y, expires: soon}'],
    ['an unknown key', '- {case: x, reason: y, expires: 2026-12-31, retry: 3}'],
    ['no list', 'case: x'],
    ['no YAML', '{'],
  ])('given %s, then it is refused', async (_, text) => {
    await expect(loadExpectations(await file(text))).rejects.toThrow(BadExpectations)
  })

  it('given no file, then it is refused', async () => {
    await expect(loadExpectations('/nowhere/expect.yaml')).rejects.toThrow(BadExpectations)
  })
})

describe('an expectation', () => {
  it('given a failure, then it is excused until the expectation expires', () => {
    const results = [judged('rpc.block.hash.01', 'fail')]
    expect(apply(results).results[0]?.verdict).toBe('expected-fail')
    expect(apply(results).exit).toBe(0)
    expect(apply(results, '2026-12-31').exit).toBe(0)
    const later = apply(results, '2027-01-01')
    expect([later.results[0]?.verdict, later.exit]).toEqual(['fail', 1])
    expect(later.stale[0]?.problem).toBe('expired')
  })

  it('given a case that passes now, or a name that fits no case there is, then it is stale', () => {
    const passing = apply([judged('rpc.block.hash.01', 'pass')])
    expect([passing.results[0]?.verdict, passing.exit]).toEqual(['unexpected-pass', 4])
    const idle = apply([judged('rpc.call.to.01', 'pass')], '2026-11-21', ['rpc.call.to.01'])
    expect([idle.stale[0]?.problem, idle.exit]).toEqual(['matches nothing', 4])
  })

  it('given a case that is not judged in this run, then it waits', () => {
    expect(apply([judged('rpc.call.to.01', 'pass')])).toMatchObject({ stale: [], exit: 0 })
  })

  it('given an entry about a should alone, when the run is not strict, then it is said that only --strict needs it', () => {
    const unmet = judged('rpc.block.hash.01', 'non-strict')
    const said = (cases: CaseResult[], entries = [entry]) =>
      describeForStrict(cases, entries, 'known.yaml')
    expect(said([unmet])).toEqual([
      '1 entry of known.yaml is about a `should`, which fails with --strict only: rpc.block.* excuses nothing here.',
    ])
    expect(said([unmet], [entry, { ...entry, case: 'rpc.block.hash.01' }])).toEqual([
      '2 entries of known.yaml are about a `should`, which fails with --strict only: they excuse nothing here, beginning with rpc.block.*.',
    ])
    expect(said([unmet, judged('rpc.block.x.01', 'fail')])).toEqual([])
    expect(said([])).toEqual([])
  })

  it('given other cases, then they are not excused', () => {
    expect(apply([judged('rpc.call.to.01', 'fail'), judged('rpc.block.x.01', 'fail')]).exit).toBe(1)
  })
})

describe('selecting cases', () => {
  it('given ids, globs and lists of them, then each is taken', () => {
    expect(matchesId('rpc.block.hash.01', 'rpc.block.*')).toBe(true)
    expect(matchesId('rpc.block.hash.01', 'rpc.call.*, rpc.block.hash.01')).toBe(true)
    expect(matchesId('rpc.block.hash.01', 'rpc.block')).toBe(false)
  })

  it('given areas and rule ids, then they are taken as well', () => {
    expect(new Set(selectCases('storage').map((test) => test.area))).toEqual(new Set(['storage']))
    const byRule = selectCases('JRN-15')
    expect(byRule.length).toBeGreaterThan(0)
    expect(byRule.every((test) => test.rules.includes('JRN-15'))).toBe(true)
    expect(selectCases('nothing.like.this')).toEqual([])
  })
})
