import { describe, expect, it } from 'vitest'
import { findRule } from '../../fixtures/rules/catalogue.ts'
import { GENERATED_MUTANTS } from './generated-mutants.ts'
import { ZOO } from './zoo.ts'

const ALL = [...ZOO, ...GENERATED_MUTANTS]

describe('the zoo', () => {
  it('has each mutant once, named after its area', () => {
    const ids = ALL.map((mutant) => mutant.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const { id, area } of ALL) expect(id).toMatch(new RegExp(`^${area}\\.[a-z0-9-]+$`))
  })

  it('breaks rules that exist', () => {
    for (const { id, rule } of ALL) expect(() => findRule(rule), id).not.toThrow()
  })

  it('has a mutant in each of the 18 areas', () => {
    expect(new Set(ZOO.map((mutant) => mutant.area)).size).toBe(18)
  })
})
