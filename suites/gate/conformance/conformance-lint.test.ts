import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findRule } from '#fixtures/rules/catalogue'
import { GENERATED_MUTANTS, ZOO } from '#mocks/index'
import { CASES } from './cases.ts'
import { AREAS, type ConformanceCase } from './conformance-case.ts'
import { coverRules } from './rule-coverage.ts'
import { evidenceFor, waiverOf } from './waiver-of.ts'

const FOLDER = new URL('./cases/', import.meta.url)

async function sourcesIn(folder: URL): Promise<{ file: string; source: string }[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  return files.map((file) => ({ file, source: readFileSync(new URL(file, folder), 'utf8') }))
}

describe('the conformance cases', () => {
  it('given their ids, then each is of the form surface.clause.name.nn and used once', () => {
    const ids = CASES.map((test) => test.id)
    expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9-]+\.[a-z0-9-]+\.\d{2}$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('given the versions of the catalogue, then each names cases that there are, and none is in two', () => {
    const file = new URL('../../../fixtures/rules/versions.yaml', import.meta.url)
    const { versions } = parse(readFileSync(file, 'utf8')) as { versions: { cases: string[] }[] }
    const listed = versions.flatMap(({ cases }) => cases)
    const known = new Set(CASES.map(({ id }) => id))
    expect(listed.filter((id, index) => !known.has(id) || listed.indexOf(id) !== index)).toEqual([])
  })

  it('given the rules that they quote, then these exist, each case has at least one and none twice', () => {
    for (const { id, rules } of CASES) {
      expect(rules.length, id).toBeGreaterThan(0)
      expect(new Set(rules).size, id).toBe(rules.length)
      for (const rule of rules) expect(() => findRule(rule), `${id} quotes ${rule}`).not.toThrow()
    }
  })

  it('given a rule, then no case calls it stricter than the catalogue does, unless another of its rules is a must', () => {
    const tooStrict = CASES.filter(
      (test) =>
        (test.level ?? 'must') === 'must' &&
        test.rules.every((rule) => findRule(rule).level !== 'must'),
    )
    expect(tooStrict.map((test) => test.id)).toEqual([])
  })

  it('given a case, then it says what it shows and why', () => {
    for (const { id, title, rationale, needs } of CASES) {
      expect(title.length, id).toBeGreaterThan(10)
      expect(rationale.length, id).toBeGreaterThan(20)
      expect(needs.length, id).toBeGreaterThan(0)
    }
  })

  it('given the emitters whose logs the sealed history counts, then nobody else sends to them', async () => {
    const folders = ['cases', 'scenes', 'watch']
    const lists = await Promise.all(
      folders.map((name) => sourcesIn(new URL(`./${name}/`, import.meta.url))),
    )
    const senders = lists
      .flat()
      .filter(({ source }) => /\blog[ABC]\b/.test(source) && /\.send\(/.test(source))
    expect(senders.map(({ file }) => file)).toEqual(['sealed-history.ts'])
  })

  it('given an area, then it has a case', () => {
    const covered = new Set(CASES.map((test) => test.area))
    expect(AREAS.filter((area) => !covered.has(area))).toEqual([])
  })

  it('given the files of the folder, then every one is in the registry, whole', async () => {
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

  it('given any rule, then a case checks it or it is waived for a reason', () => {
    expect(statuses.filter((rule) => rule.status === 'uncovered').map((rule) => rule.id)).toEqual(
      [],
    )
  })

  it('given a rule that a case checks, then it is not waived', () => {
    const both = statuses.filter((rule) => rule.status === 'covered' && waiverOf(rule.id))
    expect(both.map((rule) => rule.id)).toEqual([])
  })

  it('given a rule that no case can show, then a test that names it shows it for our own parts', () => {
    const waived = statuses.filter((rule) => rule.status === 'waived').map(({ id }) => id)
    expect(waived.length).toBeGreaterThan(0)
    for (const rule of waived) {
      const file = new URL(`../../../${evidenceFor(rule)}`, import.meta.url)
      expect(readFileSync(file, 'utf8'), `${evidenceFor(rule)} names ${rule}`).toContain(rule)
    }
  })

  it('given a rule that a case checks and that is more than a permission, then a mutant breaks it', () => {
    const broken = new Set([...ZOO, ...GENERATED_MUTANTS].map((mutant) => mutant.rule))
    const whole = statuses.filter(
      ({ id, status }) => status === 'covered' && findRule(id).level !== 'may' && !broken.has(id),
    )
    expect(whole.map(({ id }) => id)).toEqual([])
  })

  it('given all of them, then most are checked', () => {
    const covered = statuses.filter((rule) => rule.status === 'covered')
    expect(covered.length).toBeGreaterThanOrEqual(416)
  })
})
