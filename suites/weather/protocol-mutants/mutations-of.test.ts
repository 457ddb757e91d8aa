import { describe, expect, test } from 'vitest'
import { drawMutants } from './draw-mutants.ts'
import type { MutantOutcome } from './mutant-outcome.ts'
import { mutatedSource } from './mutated-source.ts'
import { mutationsOf } from './mutations-of.ts'
import { isEnough } from './table-of.ts'
import { takeCome, tracedSource } from './traced-source.ts'

const LINES = {
  'if (open) go()': ['turned !(open)', 'dropped ;'],
  'run(first, second)': ['dropped ;', 'operand second'],
  'const isPast = left < right': ['bound left <= right'],
  'const is = one === other && next': ['logic one === other || next', 'bound one !== other'],
  'const sum = height + 1n': ['arithmetic height - 1n', 'off by one (1n + 1n)'],
  'const both = [block.number, block.time]': ['field block.time', 'field block.number'],
  'const open = true': ['boolean false'],
}

/** Of these nothing has another meaning for who uses the protocol. */
const NOTHING = [
  "this.#logger.info('sealed', 1)",
  "const words = 'block ' + number",
  'type Two = 2 | true',
  'const wait = 60_000',
  'const error = new PoolRejected(1, true)',
]

describe('changes that a machine makes', () => {
  test.each(Object.entries(LINES))('given %s, then each place has its changes', (line, wanted) => {
    const found = mutationsOf('a.ts', line).map(({ kind, to }) => `${kind} ${to}`)
    expect(found.toSorted()).toEqual(wanted.toSorted())
  })

  test.each(NOTHING)('given %s, then there is no change', (line) => {
    expect(mutationsOf('a.ts', line)).toEqual([])
  })

  test('given a change, then its file has it and tells when it is come to, and another text is refused', () => {
    const [turned] = mutationsOf('a.ts', 'if (open) go()')
    expect(mutatedSource('if (open) go()', turned!)).toBe(
      'if ((globalThis.rollbedMutantReached = true, !(open))) go()',
    )
    expect(() => mutatedSource('if (shut) go()', turned!)).toThrow('a.ts:1:5 turned')
  })

  test('given places within others, then a traced file does as it did, and tells to which of them it came', () => {
    const text =
      'let sum = 0\nfor (const each of [1, 2]) if (each > 1 && each < 9) sum = sum + each; else sum = 0'
    const sum: unknown = new Function(
      `${tracedSource(text, mutationsOf('a.ts', text))}\nreturn sum`,
    )()
    expect(sum).toBe(2)
    const kindsOf = () => takeCome().map((id) => id.split(' ').slice(1).join(' '))
    expect(kindsOf()).toEqual(expect.arrayContaining(['arithmetic', 'dropped', 'logic', 'turned']))
    expect(takeCome()).toEqual([])
    // To the sum nobody comes now.
    const none = text.replace('each > 1', 'each > 5')
    new Function(tracedSource(none, mutationsOf('a.ts', none)))()
    expect(kindsOf()).not.toContain('arithmetic')
  })

  test('given outcomes, then those with a reason to live and those that no run came to count for nothing', () => {
    const reason = {
      id: 'devnet/l2/batcher/submissions.ts:1:1 arithmetic',
      from: 'safe + 1n',
      to: 'safe - 1n',
    }
    const base = {
      part: 'batcher',
      runs: 3,
      isReached: true,
      id: 'a.ts:1:1 turned',
      from: 'a',
      to: '!(a)',
    } as const
    const outcomes: MutantOutcome[] = [
      { ...base, verdict: 'found' },
      { ...base, ...reason, verdict: 'survived' },
      { ...base, verdict: 'survived', isReached: false },
      { ...base, verdict: 'nothing' },
    ]
    expect(isEnough(outcomes, 1)).toBe(true)
    expect(isEnough([...outcomes, { ...base, verdict: 'survived' }], 0.5)).toBe(true)
    expect(isEnough([...outcomes, { ...base, verdict: 'survived' }], 0.6)).toBe(false)
  })

  test('given the protocol, then each of its parts has changes, drawn the same by the same seed, and shards have each once', () => {
    const idsOf = (seed: number, shard = { index: 0, of: 1 }) =>
      drawMutants({ count: 1, seed, shard }).map(({ mutation }) => mutation.id)
    const all = idsOf(1)
    expect(idsOf(1)).toEqual(all)
    expect(idsOf(2)).not.toEqual(all)
    const shards = [0, 1, 2].flatMap((index) => idsOf(1, { index, of: 3 }))
    expect(shards.toSorted()).toEqual(all.toSorted())
    expect(new Set(drawMutants({ count: 1, seed: 1 }).map(({ part }) => part)).size).toBe(11)
  })
})
