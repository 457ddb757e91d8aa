import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findRule } from '../../fixtures/rules/catalogue.ts'
import { CASES } from './cases.ts'
import { AREAS, type ConformanceCase } from './conformance-case.ts'
import { coverRules } from './rule-coverage.ts'
import { evidenceFor, waiverOf } from './waiver-of.ts'

const FOLDER = new URL('./cases/', import.meta.url)

describe('the conformance cases', () => {
  it('have ids of the form surface.clause.name.nn, each used once', () => {
    const ids = CASES.map((test) => test.id)
    expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9-]+\.[a-z0-9-]+\.\d{2}$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('quote rules that exist, each at least one and none twice', () => {
    for (const { id, rules } of CASES) {
      expect(rules.length, id).toBeGreaterThan(0)
      expect(new Set(rules).size, id).toBe(rules.length)
      for (const rule of rules) expect(() => findRule(rule), `${id} quotes ${rule}`).not.toThrow()
    }
  })

  it('never call a rule stricter than the catalogue does, unless another of theirs is a must', () => {
    const tooStrict = CASES.filter(
      (test) =>
        (test.level ?? 'must') === 'must' &&
        test.rules.every((rule) => findRule(rule).level !== 'must'),
    )
    expect(tooStrict.map((test) => test.id)).toEqual([])
  })

  it('say what they show and why', () => {
    for (const { id, title, rationale, needs } of CASES) {
      expect(title.length, id).toBeGreaterThan(10)
      expect(rationale.length, id).toBeGreaterThan(20)
      expect(needs.length, id).toBeGreaterThan(0)
    }
  })

  it('leave no area without one', () => {
    const covered = new Set(CASES.map((test) => test.area))
    expect(AREAS.filter((area) => !covered.has(area))).toEqual([])
  })

  it('are all in the registry: every file of the folder, whole', async () => {
    const files = (await readdir(FOLDER, { recursive: true })).filter((name) =>
      name.endsWith('.ts'),
    )
    expect(files.length).toBeGreaterThan(20)
    for (const file of files) {
      const module = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>
      expect(Object.keys(module), file).toEqual(['cases'])
      for (const test of module.cases as ConformanceCase[]) expect(CASES, file).toContain(test)
    }
  })
})

describe('the rules', () => {
  const statuses = coverRules(CASES, [])

  it('are each checked by a case or waived for a reason', () => {
    expect(statuses.filter((rule) => rule.status === 'uncovered').map((rule) => rule.id)).toEqual(
      [],
    )
  })

  it('are not waived when a case checks them', () => {
    const both = statuses.filter((rule) => rule.status === 'covered' && waiverOf(rule.id))
    expect(both.map((rule) => rule.id)).toEqual([])
  })

  it('are each shown for our own parts by a test that names them, where no case can', () => {
    const waived = statuses.filter((rule) => rule.status === 'waived').map(({ id }) => id)
    expect(waived.length).toBeGreaterThan(0)
    for (const rule of waived) {
      const file = new URL(`../../${evidenceFor(rule)}`, import.meta.url)
      expect(readFileSync(file, 'utf8'), `${evidenceFor(rule)} names ${rule}`).toContain(rule)
    }
  })

  it('are mostly checked', () => {
    const covered = statuses.filter((rule) => rule.status === 'covered')
    expect(covered.length).toBeGreaterThanOrEqual(401)
  })
})
