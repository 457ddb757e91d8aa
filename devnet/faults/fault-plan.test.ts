import { describe, expect, test } from 'vitest'
import { faultsOn, TARGET_KINDS } from './fault-catalogue.ts'
import { type FaultPlanInput, parseFaultPlan } from './fault-plan.ts'
import { FAULT_TARGETS, isFaultTarget, kindOf } from './fault-targets.ts'

const invalid = (faults: unknown) => () => parseFaultPlan({ faults }, 'plan.json')
const link = { target: 'link:host-l1', fault: 'latency' }

describe('parseFaultPlan', () => {
  test('given nothing, then a plan without faults and load', () => {
    expect(parseFaultPlan({})).toMatchObject({ seed: 0, faults: [], load: { transfers: 0 } })
  })

  test('given a plan of every kind of target, then it is taken', () => {
    const faults: FaultPlanInput['faults'] = TARGET_KINDS.flatMap((kind) => {
      const target = Object.keys(FAULT_TARGETS).find((name) => kindOf(name) === kind)!
      return faultsOn(kind).map((fault) => ({ at: 1, target: target.replace('*', '16'), fault }))
    })
    expect(parseFaultPlan({ faults }).faults).toHaveLength(faults.length)
  })

  test.each([
    ['an unknown target', { ...link, target: 'link:moon' }, 'faults.0.target'],
    ['an enclave without a CID', { target: 'process:enclave', fault: 'kill' }, 'faults.0.target'],
    ['an unknown fault', { ...link, fault: 'rain' }, 'faults.0.fault'],
    ['a fault of another kind', { ...link, fault: 'full' }, 'another kind of target'],
    ['a parameter that it has not', { ...link, with: { lag: 1 } }, 'faults.0.with'],
    ['a parameter out of range', { ...link, with: { latency: -1 } }, 'faults.0.with.latency'],
    ['an end before its begin', { ...link, at: 5, until: 4 }, 'ends before it begins'],
    ['a moment of one word', { ...link, when: 'proving' }, 'faults.0.when'],
    ['a member that it has not', { ...link, where: 1 }, 'where'],
  ])('given %s, then it says so', (_, fault, words) => {
    expect(invalid([fault])).toThrow(
      expect.objectContaining({
        code: 'FAULT_PLAN_INVALID',
        message: expect.stringContaining(words),
      }),
    )
    expect(invalid([fault])).toThrow('plan.json')
  })
})

test('given any target, then it has a kind, and names with a CID are taken', () => {
  for (const name of Object.keys(FAULT_TARGETS)) {
    expect(kindOf(name)).toBeDefined()
    expect(isFaultTarget(name.replace('*', '16'))).toBe(true)
    expect(isFaultTarget(`${name}x`)).toBe(false)
  }
})
