import { describe, expect, it } from 'vitest'
import { CASES } from './cases.ts'
import { shardCases } from './shard-cases.ts'

const shards = (count: number, cases: readonly { id: string }[] = CASES) =>
  Array.from({ length: count }, (_, index) => shardCases(cases, { index: index + 1, count }))

describe('the shards of the gate', () => {
  it('given a number of them, then they hold every case once, and none nearly all', () => {
    for (const count of [1, 2, 3, 8]) {
      const ids = shards(count).map((shard) => shard.map(({ id }) => id))
      expect(ids.flat().toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
      for (const shard of ids) expect(shard.length).toBeLessThan((CASES.length / count) * 2 + 1)
    }
  })

  it('given a case more, or another order, then the others stay where they are', () => {
    const fewer = CASES.slice(1).toReversed()
    for (const [index, shard] of shards(3, fewer).entries()) {
      const before = shards(3)[index]!.filter(({ id }) => id !== CASES[0]!.id)
      expect(shard.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
    }
  })

  it('given an id, then it is put where it always was', () => {
    const one = [{ id: 'rpc.envelope.id-echo.01' }]
    // sha256sum of the id begins with 0bc8927a, and 0x0bc8927a modulo 4 is 2.
    expect(shards(4, one).map((shard) => shard.length)).toEqual([0, 0, 1, 0])
  })
})
