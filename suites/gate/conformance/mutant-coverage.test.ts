import { describe, expect, it } from 'vitest'
import { findRule } from '#fixtures/rules/catalogue'
import { ZOO } from '#mocks/index'
import { CASES } from './cases.ts'

const checked = new Set(CASES.flatMap((test) => test.rules))
const broken = new Set(ZOO.map((mutant) => mutant.rule))

describe('the zoo', () => {
  it('given a rule of level must that a case checks, then a mutant breaks it', () => {
    const unproven = [...checked].filter(
      (rule) => findRule(rule).level === 'must' && !broken.has(rule),
    )
    expect(unproven).toEqual([])
  })

  it('given a mutant, then a case of its area checks the rule that it breaks', () => {
    for (const { id, rule, area } of ZOO) {
      const cases = CASES.filter((test) => test.area === area && test.rules.includes(rule))
      expect(cases.length, `${id} breaks ${rule}`).toBeGreaterThan(0)
    }
  })
})
