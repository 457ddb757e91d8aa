import { describe, expect, test } from 'vitest'
import { drawMutants } from './draw-mutants.ts'
import { mutatedSource } from './mutated-source.ts'
import { mutationsOf } from './mutations-of.ts'

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
