import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Log, Receipt } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { PendingBlock } from '../../chain-view.ts'
import { placedLogs } from '../json/log-json.ts'
import { type LogMatcher, matchesLog } from './log-matcher.ts'
import { PendingLogIndex } from './pending-log-index.ts'

const ADDRESSES = [1, 2].map((n): Address => `0x${String(n).padStart(40, '0')}`)
const TOPICS = [1, 2, 3].map((n): Hash => `0x${String(n).padStart(64, '0')}`)

const log: fc.Arbitrary<Log> = fc.record({
  address: fc.constantFrom(...ADDRESSES),
  topics: fc.array(fc.constantFrom(...TOPICS), { maxLength: 3 }),
  data: fc.constant(new Uint8Array(0)),
})
const receipt = fc.array(log, { maxLength: 3 }).map((logs) => ({ logs }) as Receipt)
const choice = <T>(values: T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined })
const matcher: fc.Arbitrary<LogMatcher> = fc
  .tuple(choice(ADDRESSES), fc.array(choice(TOPICS), { maxLength: 3 }))
  .map(([addresses, topics]) => ({
    addresses: addresses && new Set(addresses),
    topics: topics.map((wanted) => wanted && new Set(wanted)),
  }))

describe('PendingLogIndex', () => {
  test('given snapshots that grow, are asked again, or begin anew, then it finds what a look at each log finds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            added: fc.array(receipt, { maxLength: 4 }),
            dropped: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(6)),
            asked: fc.array(fc.tuple(matcher, fc.nat(3)), { maxLength: 3 }),
          }),
          { maxLength: 8 },
        ),
        (rounds) => {
          const index = new PendingLogIndex()
          let receipts: Receipt[] = []
          for (const { added, dropped, asked } of rounds) {
            receipts = [...receipts.slice(0, receipts.length - dropped), ...added]
            for (const [wanted, back] of asked) {
              // An older snapshot of the same block, or this one.
              const seen = receipts.slice(0, Math.max(0, receipts.length - back))
              const snapshot = { receipts: seen as readonly Receipt[] } as PendingBlock
              const expected = [...placedLogs(snapshot)].filter(({ log }) =>
                matchesLog(wanted, log),
              )
              expect(index.matching(snapshot, wanted)).toEqual(expected)
            }
          }
        },
      ),
      { numRuns: 300, verbose: 1 },
    )
  })
})
