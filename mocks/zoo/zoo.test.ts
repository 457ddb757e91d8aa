import { describe, expect, it } from 'vitest'
import { findRule } from '#fixtures/rules/catalogue'
import { GENERATED_MUTANTS } from './generated-mutants.ts'
import { ZOO } from './zoo.ts'

const ALL = [...ZOO, ...GENERATED_MUTANTS]

describe('the zoo', () => {
  it('given its mutants, then each is there once, named after its area', () => {
    const ids = ALL.map((mutant) => mutant.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const { id, area } of ALL) expect(id).toMatch(new RegExp(`^${area}\\.[a-z0-9-]+$`))
  })

  it('given a mutant, then the rule that it breaks exists', () => {
    for (const { id, rule } of ALL) expect(() => findRule(rule), id).not.toThrow()
  })

  it('given the 20 areas, then each has a mutant', () => {
    expect(new Set(ZOO.map((mutant) => mutant.area)).size).toBe(21)
  })
})
