import type { VectorFlag } from './vector-notes.ts'
import type { TestsOf } from './vector-schema.ts'

export function sampleTests(): TestsOf<'JournalSample'> {
  const valid = (
    comment: string,
    flag: VectorFlag,
    [start, end, interval]: [number, number, number],
    sampled: number[],
  ) => ({
    comment,
    flags: [flag],
    result: 'valid' as const,
    start: `${start}`,
    end: `${end}`,
    interval: `${interval}`,
    sampled: sampled.map(String),
  })
  return [
    valid('interval divides the range', 'Sampling', [0, 10, 5], [5, 10]),
    valid('start beside zero: counted from the start', 'Sampling', [1000, 1010, 5], [1005, 1010]),
    valid('start no multiple of the interval', 'Sampling', [1002, 1012, 5], [1007, 1012]),
    valid(
      'interval does not divide: the rest is left out',
      'Sampling',
      [1000, 1008, 3],
      [1003, 1006],
    ),
    valid('interval equals the range', 'Sampling', [1000, 1030, 30], [1030]),
    valid('interval longer than the range', 'Sampling', [1000, 1005, 6], []),
    valid('every block', 'Sampling', [7, 11, 1], [8, 9, 10, 11]),
    valid('two blocks, interval two', 'Sampling', [98, 100, 2], [100]),
    valid('the last block number divides, the range does not', 'Sampling', [997, 1000, 10], []),
    valid('one block, interval one', 'OneBlock', [999, 1000, 1], []),
    valid('one block, interval zero', 'OneBlock', [999, 1000, 0], []),
    {
      comment: 'two blocks, interval zero',
      flags: ['ZeroInterval'],
      result: 'invalid',
      start: '998',
      end: '1000',
      interval: '0',
    },
  ]
}
