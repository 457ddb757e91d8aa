import { describe, expect, it } from 'vitest'
import { CASES } from './cases.ts'
import { shardCases } from './shard-cases.ts'

const shards = (count: number, cases: readonly { id: string }[] = CASES) =>
  Array.from({ length: count }, (_, index) => shardCases(cases, { index: index + 1, count }))

describe('the shards of the gate', () => {
  it('hold every case once, none of them nearly all', () => {
    for (const count of [1, 2, 3, 8]) {
      const ids = shards(count).map((shard) => shard.map(({ id }) => id))
      expect(ids.flat().toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
      for (const shard of ids) expect(shard.length).toBeLessThan((CASES.length / count) * 2 + 1)
    }
  })

  it('stay as they are when a case is added or the order changes', () => {
    const fewer = CASES.slice(1).toReversed()
    for (const [index, shard] of shards(3, fewer).entries()) {
      const before = shards(3)[index]!.filter(({ id }) => id !== CASES[0]!.id)
      expect(shard.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
    }
  })

  it('put an id where they always did', () => {
    const one = [{ id: 'rpc.envelope.id-echo.01' }]
    // sha256sum of the id begins with 0bc8927a, and 0x0bc8927a modulo 4 is 2.
    expect(shards(4, one).map((shard) => shard.length)).toEqual([0, 0, 1, 0])
  })
})
