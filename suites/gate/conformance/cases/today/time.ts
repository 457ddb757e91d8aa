import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { ethCall, toWord } from '../../reads/eth-call.ts'
import { childrenOfToday, seenToday, type TodaysChild } from '../../scenes/seen-today.ts'
import { todaysBlocks } from '../../scenes/todays-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenBlock } from '../../seen/seen-blocks.ts'
import {
  BASE_TIME,
  baseTimeSource,
  expectBaseTimeDeposit,
  MILLIS_PART,
  partOf,
  SLOT,
  setsBaseTime,
  TIMESTAMP_MS,
  timeOf,
  wholeTransactions,
} from '../../spec/base-time.ts'
import { l1OriginOf } from '../../spec/l1-origin.ts'

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale'>

/** Judges every block of 200 ms of the run. */
const ofBlocks = (about: About, judge: (one: SeenBlock) => void): ConformanceCase => ({
  ...about,
  area: 'today',
  profiles: ['today'],
  needs: ['rpc'],
  judgesAll: true,
  run: async (t) => judgeEach(await seenToday(t), 'blocks of 200 ms', judge),
})

/** Likewise, each with its parent. */
const ofChildren = (about: About, judge: (one: TodaysChild) => void): ConformanceCase => ({
  ...about,
  area: 'today',
  profiles: ['today'],
  needs: ['rpc'],
  judgesAll: true,
  run: async (t) => judgeEach(await childrenOfToday(t), 'blocks of 200 ms on another', judge),
})

const numberOf = ({ block }: SeenBlock) => expectQuantity(block.number, 'number')
/** As the node tells it, or as its parts say where it does not. */
const shownTime = ({ block }: SeenBlock) =>
  'timestampMs' in block ? expectQuantity(block.timestampMs, 'timestampMs') : timeOf(block)

export const cases = defineCases([
  ofChildren(
    {
      id: 'today.time.cadence.01',
      title: 'Every block of the run is 200 ms later than its parent',
      rules: ['TODAY-TIME-01'],
      rationale: 'By what the node tells, and by second and deposit: both must move alike.',
    },
    (one) => {
      const at = (what: string) => `${what} from block ${one.parent.block.number} to the next`
      expectEqual(shownTime(one) - shownTime(one.parent), SLOT, at('milliseconds'))
      const own = timeOf(one.block) - timeOf(one.parent.block)
      expectEqual(own, SLOT, at('milliseconds by second and deposit'))
    },
  ),
  {
    id: 'today.time.number.01',
    title: 'Time follows from the number: no slot and no number is left out over the whole run',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-TIME-02'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Whoever turns a time into a number, as games and bridges do, counts on it.',
    async run(t) {
      const all = await seenToday(t)
      const first = all[0] ?? notApplicable('No block of 200 ms was seen.')
      await judgeEach(all, 'blocks of 200 ms', (one) => {
        const due = shownTime(first) + SLOT * (numberOf(one) - numberOf(first))
        expectEqual(shownTime(one), due, `milliseconds of block ${one.block.number}`)
      })
    },
  },
  ofBlocks(
    {
      id: 'today.time.lattice.01',
      title: 'Milliseconds within the second are 0, 200, 400, 600 or 800',
      rules: ['TODAY-TIME-03'],
      rationale: 'A block at any other place is refused by every node.',
    },
    (one) => {
      for (const part of [shownTime(one) % 1000n, partOf(one.block)])
        expectThat(
          part % SLOT === 0n && part < 1000n,
          'a multiple of 200 below 1,000',
          part,
          'part',
        )
    },
  ),
  ofBlocks(
    {
      id: 'today.time.second.01',
      title: 'timestamp is the whole seconds of timestampMs',
      rules: ['TODAY-TIME-04'],
      rationale: 'The header has no other time: up to five blocks in a row have one timestamp.',
    },
    (one) =>
      expectEqual(
        expectQuantity(one.block.timestamp, 'timestamp'),
        shownTime(one) / 1000n,
        `timestamp of block ${one.block.number}`,
      ),
  ),
  ofBlocks(
    {
      id: 'today.time.deposit.01',
      title: 'The second transaction sets BaseTime, with every member as it must be',
      rules: ['TODAY-TIME-05'],
      rationale: 'It is the only carrier of the milliseconds: neither header nor L1 has them.',
    },
    (one) => expectBaseTimeDeposit(wholeTransactions(one.block)[1], shownTime(one) % 1000n),
  ),
  ofBlocks(
    {
      id: 'today.time.source.01',
      title: 'The source hash of that deposit is that of the block number',
      rules: ['TODAY-TIME-06'],
      rationale: 'So that no two deposits have one hash; hashed here by another library.',
    },
    (one) => {
      const { sourceHash } = wholeTransactions(one.block)[1] ?? {}
      const wanted = baseTimeSource(numberOf(one))
      expectEqual(expectHash(sourceHash, 'transactions[1].sourceHash'), wanted, 'sourceHash')
    },
  ),
  ofBlocks(
    {
      id: 'today.time.once.01',
      title: 'No other transaction of the block is such a deposit',
      rules: ['TODAY-TIME-07'],
      rationale: 'A second one would move the time within the block.',
    },
    ({ block }) => {
      const places = wholeTransactions(block).flatMap((each, at) => (setsBaseTime(each) ? at : []))
      expectEqual(places, [1], `places of deposits to BaseTime in block ${block.number}`)
    },
  ),
  {
    id: 'today.time.receipt.01',
    title: 'The receipt of that deposit says that it went through',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-TIME-08'],
    needs: ['rpc'],
    rationale: 'A block in which it failed is no valid block.',
    async run(t) {
      const { blocks, receipts } = await t.scene(todaysBlocks)
      if (!receipts) notApplicable('The node does not serve eth_getBlockReceipts.')
      for (const [index, of] of receipts.entries())
        expectEqual(of[1]?.status, '0x1', `status of receipt 1 in block ${blocks[index]?.number}`)
    },
  },
  {
    id: 'today.time.contract.01',
    title: 'BaseTime tells the time of the block that is asked at, by both of its functions',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-TIME-09'],
    needs: ['rpc'],
    rationale: 'What a contract reads must be what the block says; five blocks in a row are asked.',
    async run(t) {
      for (const block of await someBlocks(t)) {
        const read = (data: typeof MILLIS_PART) =>
          ethCall(t.rpc, { to: BASE_TIME, data }, String(block.number))
        expectEqual(await read(MILLIS_PART), toWord(partOf(block)), 'timestampMillisPart()')
        expectEqual(await read(TIMESTAMP_MS), toWord(timeOf(block)), 'timestampMs()')
      }
    },
  },
  {
    id: 'today.time.slot.01',
    title: 'Slot 0 of BaseTime holds the milliseconds within the second',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-TIME-10'],
    needs: ['rpc'],
    rationale: 'Nodes read the time of the parent there, and provers have it in their witness.',
    async run(t) {
      for (const block of await someBlocks(t)) {
        const slot = await t.rpc.result('eth_getStorageAt', [BASE_TIME, '0x0', block.number])
        expectEqual(slot, toWord(partOf(block)), `slot 0 at block ${block.number}`)
      }
    },
  },
  ofChildren(
    {
      id: 'today.time.sequence.01',
      title: 'The sequence number counts the blocks of an L1 origin, which advances by one at most',
      rules: ['TODAY-TIME-11'],
      rationale: 'There are some sixty to an origin of 12 s; a counter of one byte would overflow.',
    },
    ({ block, parent }) => {
      const [own, before] = [l1OriginOf(block), l1OriginOf(parent.block)]
      const isNext = own.number === before.number + 1n
      if (!isNext) expectEqual(own.number, before.number, 'number of the L1 origin')
      expectEqual(own.sequenceNumber, isNext ? 0n : before.sequenceNumber + 1n, 'sequence number')
    },
  ),
  ofBlocks(
    {
      id: 'today.time.origin.01',
      title: 'No block is before its L1 origin, by whole seconds',
      rules: ['TODAY-TIME-12'],
      rationale: 'L2 may not include what L1 had not yet when the block was due.',
    },
    ({ block }) => {
      const [own, { timestamp }] = [expectQuantity(block.timestamp, 'timestamp'), l1OriginOf(block)]
      expectThat(own >= timestamp, `at least ${timestamp}`, own, `timestamp of ${block.number}`)
    },
  ),
  ofChildren(
    {
      id: 'today.time.randao.01',
      title: 'All blocks of one L1 origin have its prevRandao',
      rules: ['TODAY-TIME-13'],
      rationale: 'A contract that draws by PREVRANDAO draws the same for twelve seconds.',
    },
    ({ block, parent }) => {
      if (l1OriginOf(block).hash !== l1OriginOf(parent.block).hash) return
      expectEqual(block.mixHash, parent.block.mixHash, `mixHash of block ${block.number}`)
    },
  ),
])

/** Five in a row, so that each place within a second is one of them. */
async function someBlocks(t: CaseContext) {
  return (await t.scene(todaysBlocks)).blocks.slice(-5)
}
