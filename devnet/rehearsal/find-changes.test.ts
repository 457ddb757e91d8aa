import { describe, expect, test } from 'vitest'
import type { Called } from './called.ts'
import { findChanges } from './find-changes.ts'
import type { AskedEra } from './find-waits.ts'

const START = 1_700_000_000_000
const SLOW = 2_000
const FAST = 200

/** A call, and the block that it asks for. */
type Asked = [at: number, method: string, number?: number, ...params: unknown[]]

/** What was asked of a chain whose blocks come every `pace` ms, block 0 at time 0. */
function era(pace: number, ...asked: Asked[]): AskedEra {
  const calls = asked.map(
    ([at, method, , ...params]): Called => ({ at: START + at, method, params }),
  )
  const times = Array.from({ length: 200 }, (_, number) => START + number * pace)
  return { calls, asked: { first: 0, times, numbers: asked.map(([, , number]) => number) } }
}

/** A transaction in block 3: its receipt, then looks at heads so long, then the next thing. */
function waiting(pace: number, { until, every }: { until: number; every: number }): AskedEra {
  const knows = 3 * pace
  const looks = Array.from({ length: Math.floor((until - knows) / every) }, (_, index): Asked => {
    return [knows + (index + 1) * every, 'eth_blockNumber']
  })
  return era(
    pace,
    [knows - 50, 'eth_sendRawTransaction'],
    [knows, 'eth_getTransactionReceipt', 3, '0xaa'],
    ...looks,
    [until + 5, 'eth_call'],
  )
}

describe('given a program that waits after its receipt', () => {
  test('when it waits for as many blocks on each chain, then it counts confirmations', () => {
    // Blocks 3 to 5.
    const before = waiting(SLOW, { until: 10_100, every: 100 })
    const after = waiting(FAST, { until: 1_050, every: 50 })
    expect(findChanges(before, [after])).toEqual([
      {
        kind: 'look',
        what: '3 confirmations',
        count: 1,
        why: 'They were 6 s, and are 0.6 s.',
        instead: expect.stringContaining('safe'),
      },
    ])
  })

  test('when it is told of heads, and asks for none, then it counts confirmations, too', () => {
    const hearing = (pace: number): AskedEra =>
      era(
        pace,
        [0, 'eth_subscribe', undefined, 'newHeads'],
        [3 * pace, 'eth_getTransactionReceipt', 3, '0xaa'],
        [6 * pace + 20, 'eth_call'],
      )
    expect(findChanges(hearing(SLOW), [hearing(FAST)])).toMatchObject([{ what: '4 confirmations' }])
  })

  test('when it waits for as long a time on each chain, then nothing is said', () => {
    const before = waiting(SLOW, { until: 12_100, every: 100 })
    const after = waiting(FAST, { until: 6_700, every: 100 })
    expect(findChanges(before, [after])).toEqual([])
  })

  test('when the receipt is all that it waits for, however seldom it asks, then nothing is said', () => {
    const asking = (pace: number, every: number): AskedEra =>
      era(
        pace,
        [every, 'eth_getTransactionReceipt', 3, '0xaa'],
        [2 * every, 'eth_getTransactionReceipt', 3, '0xaa'],
        [2 * every + 5, 'eth_call'],
      )
    expect(findChanges(asking(SLOW, 5_000), [asking(FAST, 400)])).toEqual([])
  })
})

describe('given a program that asks for receipts of blocks', () => {
  const asking = (pace: number, numbers: readonly number[]): AskedEra =>
    era(pace, ...numbers.map((number): Asked => [number * pace, 'eth_getBlockReceipts', number]))
  const before = asking(SLOW, [4, 5, 6])

  test('when it asks for the first of each second where it asked for each block, then it keeps them by second', () => {
    expect(findChanges(before, [asking(FAST, [7, 10, 15, 20, 25])])).toMatchObject([
      { kind: 'breaks', what: 'eth_getBlockReceipts, of one block of a second', count: 5 },
    ])
  })

  test.each([
    ['each block of both chains', [4, 5, 6], [7, 8, 9, 10, 11, 12]],
    ['blocks of other places in their second', [4, 5, 6], [7, 11, 15, 20, 25]],
    ['some blocks of either chain', [4, 6, 9], [7, 10, 15, 20, 25]],
    ['too few to tell', [4, 5, 6], [10, 15, 20]],
  ])('when it asks for %s, then nothing is said', (_, slow, fast) => {
    expect(findChanges(asking(SLOW, slow), [asking(FAST, fast)])).toEqual([])
  })
})
