import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { getBlock } from '../../reads/get-block.ts'
import { blockOfToday } from '../../scenes/todays-blocks.ts'
import { todaysLogs } from '../../scenes/todays-logs.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { seenBlocks } from '../../seen/seen-blocks.ts'
import { setsBaseTime, timeOf, wholeTransactions } from '../../spec/base-time.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`
const ASKS_BY = ['Number', 'Hash'] as const

/** A call that a node need not serve: undefined where it does not. */
async function ifServed(t: CaseContext, method: string, params: readonly unknown[]) {
  const { body } = await t.rpc.call(method, params)
  return 'result' in body ? expectObject(body.result, method) : undefined
}

const aCase = (
  about: Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale'>,
  run: (t: CaseContext) => Promise<void>,
): ConformanceCase => ({ ...about, area: 'today', profiles: ['today'], needs: ['rpc'], run })

export const cases = defineCases([
  aCase(
    {
      id: 'today.answer.block.01',
      title: 'timestampMs is in a block by number and by hash, with whole transactions and without',
      rules: ['TODAY-RPC-01'],
      rationale: 'The milliseconds of a block are those of its second transaction.',
    },
    async (t) => {
      const block = await blockOfToday(t)
      for (const by of ASKS_BY)
        for (const full of [true, false]) {
          const method = `eth_getBlockBy${by}`
          const selector = by === 'Number' ? block.number : block.hash
          const shown = expectObject(await t.rpc.result(method, [selector, full]), method)
          expectEqual(shown.timestampMs, hex(timeOf(block)), `timestampMs of ${method}, ${full}`)
        }
    },
  ),
  aCase(
    {
      id: 'today.answer.header.01',
      title: 'timestampMs is in a header by number and by hash',
      rules: ['TODAY-RPC-02'],
      rationale: 'A header has no transactions: who has it alone cannot work the time out.',
    },
    async (t) => {
      const block = await blockOfToday(t)
      let served = 0
      for (const by of ASKS_BY) {
        const method = `eth_getHeaderBy${by}`
        const header = await ifServed(t, method, [by === 'Number' ? block.number : block.hash])
        if (!header) continue
        served += 1
        expectEqual(header.timestampMs, hex(timeOf(block)), `timestampMs of ${method}`)
      }
      if (served === 0) notApplicable('The node serves no eth_getHeaderBy….')
    },
  ),
  aCase(
    {
      id: 'today.answer.transaction.01',
      title: 'blockTimestampMs is in a transaction of a block, by hash and by place',
      rules: ['TODAY-RPC-03'],
      rationale: 'The four ways to one transaction tell one time.',
    },
    async (t) => {
      const block = await blockOfToday(t)
      const [first, second] = wholeTransactions(block)
      const ways: [string, readonly unknown[]][] = [
        ['eth_getTransactionByHash', [second?.hash]],
        ['eth_getTransactionByBlockNumberAndIndex', [block.number, '0x1']],
        ['eth_getTransactionByBlockHashAndIndex', [block.hash, '0x1']],
      ]
      const wanted = hex(timeOf(block))
      for (const each of [first, second])
        expectEqual(each?.blockTimestampMs, wanted, 'blockTimestampMs within a block')
      for (const [method, params] of ways) {
        const shown = expectObject(await t.rpc.result(method, params), method)
        expectEqual(shown.blockTimestampMs, wanted, `blockTimestampMs of ${method}`)
      }
    },
  ),
  aCase(
    {
      id: 'today.answer.log.01',
      title: 'blockTimestampMs is in logs, by eth_getLogs and by a filter',
      rules: ['TODAY-RPC-04'],
      rationale:
        'An indexer puts logs in the order of their times, and there are five to a second.',
    },
    async (t) => {
      const { block, filter } = await t.scene(todaysLogs)
      const id = await t.rpc.call('eth_newFilter', [filter])
      const ways: [string, unknown][] = [['eth_getLogs', filter]]
      if ('result' in id.body) ways.push(['eth_getFilterLogs', id.body.result])
      try {
        for (const [method, asked] of ways) {
          const logs = expectArray(await t.rpc.result(method, [asked]), method)
          expectThat(logs.length > 0, 'the logs of the block', logs, method)
          for (const log of logs)
            expectTime(expectObject(log, method), block, `blockTimestampMs of ${method}`)
        }
      } finally {
        if ('result' in id.body) await t.rpc.call('eth_uninstallFilter', [id.body.result])
      }
    },
  ),
  aCase(
    {
      id: 'today.answer.receipt.01',
      title: 'Logs of a receipt have blockTimestampMs, the receipt itself has none',
      rules: ['TODAY-RPC-05'],
      rationale: 'By eth_getTransactionReceipt and eth_getBlockReceipts.',
    },
    async (t) => {
      const { block, transactionHash } = await t.scene(todaysLogs)
      const method = 'eth_getTransactionReceipt'
      const receipts = [expectObject(await t.rpc.result(method, [transactionHash]), method)]
      const { body } = await t.rpc.call('eth_getBlockReceipts', [block.number])
      if (Array.isArray(body.result))
        receipts.push(...body.result.map((each) => expectObject(each, 'eth_getBlockReceipts[]')))
      for (const receipt of receipts) {
        expectThat(!('blockTimestampMs' in receipt), 'none', receipt.blockTimestampMs, 'receipt')
        for (const log of expectArray(receipt.logs, 'receipt.logs'))
          expectTime(expectObject(log, 'receipt.logs[]'), block, 'receipt.logs[].blockTimestampMs')
      }
    },
  ),
  aCase(
    {
      id: 'today.answer.before.01',
      title:
        'A block without the deposit of BaseTime has no timestampMs, nor have its transactions',
      rules: ['TODAY-RPC-06'],
      rationale: 'The first block of the chain is one: a null there is taken for the year 1970.',
    },
    async (t) => {
      await blockOfToday(t)
      const block = await getBlock(t.rpc, 0n, true)
      const whole = wholeTransactions(block)
      if (whole.some(setsBaseTime)) notApplicable('The first block has the deposit of BaseTime.')
      expectThat(!('timestampMs' in block), 'no such member', block.timestampMs, 'timestampMs')
      for (const each of whole)
        expectThat(!('blockTimestampMs' in each), 'no such member', each, 'transactions[]')
    },
  ),
  {
    id: 'today.answer.no-part.01',
    title: 'timestampMillisPart is in no block of the run',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-RPC-07'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Drafts had it; a client that finds it believes in a second carrier of the time.',
    async run(t) {
      await blockOfToday(t)
      await judgeEach(seenBlocks(t.seen), 'blocks', ({ block }) =>
        expectThat(!('timestampMillisPart' in block), 'no such member', block, 'block'),
      )
    },
  },
])

function expectTime(log: JsonObject, block: JsonObject, at: string): void {
  expectEqual(log.blockTimestampMs, hex(timeOf(block)), at)
}
