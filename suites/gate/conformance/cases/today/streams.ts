import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { getBlock } from '../../reads/get-block.ts'
import { type TodaysStreams, todaysStreams } from '../../scenes/todays-streams.ts'
import { timeOf } from '../../spec/base-time.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`
/** Blocks that are asked for beside their heads. */
const COMPARED = 5

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale' | 'level'>

const aCase = (
  about: About,
  judge: (streams: TodaysStreams, t: CaseContext) => void | Promise<void>,
): ConformanceCase => ({
  ...about,
  area: 'today',
  profiles: ['today'],
  needs: ['rpc', 'ws'],
  run: async (t) => judge(await t.scene(todaysStreams), t),
})

export const cases = defineCases([
  aCase(
    {
      id: 'today.stream.heads.01',
      title: 'newHeads tells every block once, in order, five in a second',
      rules: ['TODAY-WS-01'],
      rationale: 'It takes the place of newFlashblocks; a head that is left out is a block missed.',
    },
    ({ heads }) => {
      expectThat(heads.length > 5, 'the heads of more than a second', heads.length, 'newHeads')
      const numbers = heads.map(({ number }) => expectQuantity(number, 'number'))
      const inARow = numbers.map((_, at) => numbers[0]! + BigInt(at))
      expectEqual(numbers, inARow, 'numbers of heads')
    },
  ),
  aCase(
    {
      id: 'today.stream.head-time.01',
      title: 'A head has the timestampMs of its block',
      rules: ['TODAY-WS-02'],
      rationale: 'Five heads have one timestamp; a head has no transactions to read the rest from.',
    },
    async ({ heads }, t) => {
      for (const head of heads.slice(-COMPARED)) {
        const block = await getBlock(t.rpc, String(head.number), true)
        if (block.hash !== head.hash) continue
        expectEqual(head.timestampMs, hex(timeOf(block)), `timestampMs of head ${head.number}`)
      }
    },
  ),
  aCase(
    {
      id: 'today.stream.logs.01',
      title: 'logs tells logs of sealed blocks with blockTimestampMs',
      rules: ['TODAY-WS-03'],
      rationale: 'It takes the place of pendingLogs, with which no log had a block.',
    },
    async ({ logs }, t) => {
      if (logs.length === 0) notApplicable('No log came while the gate listened.')
      for (const log of logs.slice(-COMPARED)) {
        const block = await getBlock(t.rpc, String(log.blockNumber), true)
        expectEqual(log.blockHash, block.hash, 'blockHash')
        expectEqual(log.blockTimestampMs, hex(timeOf(block)), 'blockTimestampMs')
      }
    },
  ),
  aCase(
    {
      id: 'today.stream.silent.01',
      title: 'newFlashblocks, newFlashblockTransactions and pendingLogs tell nothing',
      rules: ['TODAY-WS-04'],
      rationale: 'Blocks with logs came while they were subscribed to.',
    },
    ({ retired }) => {
      for (const [kind, { messages }] of Object.entries(retired))
        expectEqual(messages, [], `messages of ${kind}`)
    },
  ),
  aCase(
    {
      id: 'today.stream.accepted.01',
      title: 'They are still accepted',
      level: 'should',
      rules: ['TODAY-WS-05'],
      rationale:
        'A client of before that is refused breaks at its start; one that hears nothing waits.',
    },
    ({ retired }) => {
      for (const [kind, { isAccepted }] of Object.entries(retired))
        expectThat(isAccepted, 'an id', 'an error', `eth_subscribe to ${kind}`)
    },
  ),
])
