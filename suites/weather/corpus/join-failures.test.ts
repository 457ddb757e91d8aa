import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import type { Failure } from './failure.ts'
import { historyOf } from './history-of.ts'
import { joinFailures } from './join-failures.ts'

const TARGETS = ['process:api', 'process:node', 'link:client-l2', 'chain:l1'] as const

/** Few keys, builds and times, so that they meet. */
const failure: fc.Arbitrary<Failure> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    faults: fc.array(fc.constantFrom(...TARGETS), { maxLength: 2 }),
    seed: fc.integer({ min: 0, max: 3 }),
    duration: fc.constantFrom(500, 9_000),
    transfers: fc.constantFrom(0, 60),
    broken: fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.integer({ min: 1, max: 5 })),
    others: fc.dictionary(
      fc.constantFrom('one', 'two', 'three'),
      fc.record({ day: fc.integer({ min: 1, max: 5 }), broke: fc.boolean() }),
    ),
  })
  .map(({ name, faults, seed, duration, transfers, broken, others }) => ({
    ...{ key: `${name}-000000000000`, checker: name, problem: name, where: [], body: 'simulated' },
    plan: parseFaultPlan({
      ...{ seed, duration, load: { transfers } },
      faults: faults.map((target) => ({
        ...{ at: 1, until: 2, target },
        fault: target.startsWith('link') ? 'down' : target === 'chain:l1' ? 'still' : 'stop',
      })),
    }),
    plays: {
      ...Object.fromEntries(
        Object.entries(others).map(([build, { day, broke }]) => [build, { at: at(day), broke }]),
      ),
      [broken[0]]: { at: at(broken[1]), broke: true },
    },
  }))
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`
const corpus = fc.array(failure, { maxLength: 4 }).map((some) => joinFailures(some))

test('given corpora, then they are the same joined in any order, in any groups, and twice', () => {
  fc.assert(
    fc.property(corpus, corpus, corpus, (one, two, three) => {
      const all = joinFailures(one, two, three)
      expect(joinFailures(three, one, two)).toEqual(all)
      expect(joinFailures(joinFailures(three, two), one)).toEqual(all)
      expect(joinFailures(one, joinFailures(two, three))).toEqual(all)
      expect(joinFailures(all, two, all)).toEqual(all)
    }),
  )
})

test('given corpora, then each failure is there once, the oldest first, by the smallest of its plans', () => {
  fc.assert(
    fc.property(corpus, corpus, (one, two) => {
      const all = joinFailures(one, two)
      const keys = [...one, ...two].map(({ key }) => key)
      expect(all.map(({ key }) => key).sort()).toEqual([...new Set(keys)].sort())
      const ages = all.map((each) => historyOf(each).since.at)
      expect(ages).toEqual([...ages].sort())
      for (const each of all) {
        const same = [...one, ...two].filter(({ key }) => key === each.key)
        const fewest = Math.min(...same.map(({ plan }) => plan.faults.length))
        expect(each.plan.faults.length).toBe(fewest)
        // Nothing that somebody saw break is called whole.
        for (const { plays } of same)
          for (const [build, { broke }] of Object.entries(plays))
            if (broke) expect(each.plays[build]?.broke).toBe(true)
      }
    }),
  )
})
