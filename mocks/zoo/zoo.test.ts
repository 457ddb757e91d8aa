import { describe, expect, it } from 'vitest'
import { findRule } from '../../fixtures/rules/catalogue.ts'
import { ZOO } from './zoo.ts'

describe('the zoo', () => {
  it('has each mutant once, named after its area', () => {
    const ids = ZOO.map((mutant) => mutant.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const { id, area } of ZOO) expect(id).toMatch(new RegExp(`^${area}\\.[a-z0-9-]+$`))
  })

  it('breaks rules that exist', () => {
    for (const { id, rule } of ZOO) expect(() => findRule(rule), id).not.toThrow()
  })

  it('has a mutant in each of the 15 areas', () => {
    expect(new Set(ZOO.map((mutant) => mutant.area)).size).toBe(15)
  })
})
