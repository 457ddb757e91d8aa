import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectAddress, expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { getTip } from '../../reads/get-block.ts'
import { getLogs, inChainOrder, toLogs } from '../../reads/get-logs.ts'
import { askedFilters } from '../../scenes/asked-filters.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { answerFrom, indexLogs, isIntoPending } from '../../seen/log-index.ts'
import { receiptLogsOf } from '../../seen/receipt-logs-of.ts'
import { replacedHeights } from '../../seen/seen-blocks.ts'

export const cases = defineCases([
  {
    id: 'rpc.getlogs.seen-index.01',
    title:
      'Every filter over the newest blocks finds what an index of their receipts finds, no more and no less',
    area: 'logs',
    rules: [
      'RPC-GETLOGS-04',
      'RPC-FLT-07',
      'RPC-FLT-08',
      'RPC-FLT-10',
      'RPC-FLT-12',
      'RPC-FLT-13',
      'RPC-FLT-16',
      'RPC-LOG-02',
      'RPC-LOG-06',
      'RPC-LOG-08',
      'RPC-LOG-09',
      'RPC-LOG-10',
      'RPC-LOG-11',
    ],
    needs: ['rpc'],
    judgesAll: true,
    rationale:
      'The gate answers each filter itself, whichever case had asked it, and compares whole.',
    async run(t) {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      await t.scene(askedFilters)
      const index = indexLogs(receipts)
      const known = t.seen.ofLasting('eth_getLogs').flatMap((answer) => {
        const expected = answerFrom(index, (answer.params[0] ?? {}) as JsonObject)
        return expected ? [{ ...answer, expected }] : []
      })
      await judgeEach(known, 'answers to filters', ({ result, expected }) => {
        const logs = toLogs(result)
        const answered = logs.map((log) => ({
          ...only(log),
          address: String(log.address).toLowerCase(),
        }))
        // A node without blockTimestamp is told so by the cases about members.
        const asServed = expected.map((log) =>
          logs.every(hasTime) ? log : { ...log, blockTimestamp: undefined },
        )
        expectEqual(answered, asServed, 'result')
      })
    },
  },
  {
    id: 'rpc.getlogs.seen-each.01',
    title: 'Every sealed log in any answer of the run is that of its receipt, member by member',
    area: 'logs',
    rules: [
      ...['RPC-LOG-02', 'RPC-LOG-03', 'RPC-LOG-05', 'RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-08'],
      ...['RPC-LOG-09', 'RPC-LOG-10', 'RPC-LOG-11', 'RPC-LOG-12'],
    ],
    needs: ['rpc'],
    judgesAll: true,
    rationale:
      'Whoever had asked, and by whatever filter or tag: a log is what its contract emitted.',
    async run(t) {
      const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
        await t.scene(recentBlocks)
      await t.scene(askedFilters)
      const known = receiptLogsOf(t.rpc, receipts)
      // What is pre-confirmed is judged by cases of its own, and so is a block that was replaced.
      const sealed = t.seen
        .inCalm('eth_getLogs')
        .filter(({ params: [filter] }) => !isIntoPending(filter))
      const replaced = replacedHeights(t.seen)
      const judged = new Set<string>()
      await judgeEach(sealed, 'answers with sealed logs', async ({ result }) => {
        for (const log of toLogs(result)) {
          const text = JSON.stringify(log)
          if (judged.has(text) || replaced.has(log.blockNumber)) continue
          judged.add(text)
          const expected = await known(log)
          const at = `log ${Number(log.logIndex)} of block ${Number(log.blockNumber)}`
          expectThat(expected !== undefined, 'a log that a receipt of its block has', log, at)
          const hasTime = log.blockTimestamp !== undefined
          const { blockTimestamp, ...timeless } = expected
          const wanted = { ...timeless, ...(hasTime && { blockTimestamp }), removed: false }
          const { address, ...others } = log
          const plain = { ...others, address: String(address).toLowerCase() }
          // A node may tell more than the ten members; a case about members asks for them.
          const own = Object.keys(wanted).map((name) => [name, (plain as JsonObject)[name]])
          expectEqual(Object.fromEntries(own), wanted, at)
          expectAddress(address, `${at}.address`)
        }
      })
    },
  },
  {
    id: 'rpc.getlogs.seen-range.01',
    title:
      'No answer of the run has a log of a block outside of the range of numbers that was asked for',
    area: 'logs',
    rules: ['RPC-GETLOGS-04', 'RPC-FLT-02', 'RPC-FLT-05'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Low heights are asked for, too: the digits of others begin with theirs.',
    async run(t) {
      const tip = await getTip(t.rpc)
      for (const height of LOW.filter((each) => each <= tip)) {
        const block = `0x${height.toString(16)}`
        await t.rpc.call('eth_getLogs', [{ fromBlock: block, toBlock: block }])
      }
      const ranges = t.seen.to('eth_getLogs').flatMap((answer) => {
        const { blockHash, fromBlock, toBlock } = Object(answer.params[0]) as JsonObject
        const [from, to] = [heightOf(fromBlock), heightOf(toBlock)]
        const isRange = blockHash === undefined && (from !== undefined || to !== undefined)
        return isRange ? [{ ...answer, from, to }] : []
      })
      await judgeEach(ranges, 'answers to ranges', ({ result, from, to }) => {
        const [least, most] = [from ?? 0n, to ?? null]
        for (const { blockNumber } of toLogs(result)) {
          // Of a pre-confirmed log it may be open.
          if (blockNumber === null || blockNumber === undefined) continue
          const height = expectQuantity(blockNumber, 'log.blockNumber')
          const isWithin = height >= least && (most === null || height <= most)
          const range = most === null ? `${least} or more` : `${least} to ${most}`
          expectThat(isWithin, range, height, 'log.blockNumber')
        }
      })
    },
  },
  {
    id: 'rpc.getlogs.wide.01',
    title: 'A wide range finds what its parts find, one after the other',
    area: 'logs',
    rules: ['RPC-GETLOGS-01', 'RPC-GETLOGS-04'],
    needs: ['rpc', 'driver'],
    judgesAll: true,
    rationale: 'Nodes search long ranges by other means, such as blooms, which may skip a block.',
    async run(t) {
      const address = [...new Set(Object.values(await t.scene(probeContracts)))]
      const tip = await getTip(t.rpc)
      const first = tip > WIDE ? tip - WIDE : 0n
      const find = (from: bigint, to: bigint) => {
        const [fromBlock, toBlock] = [from, to].map((height) => `0x${height.toString(16)}`)
        return getLogs(t.rpc, { fromBlock, toBlock, address })
      }
      const parts: JsonObject[] = []
      for (let from = first; from <= tip; from += PART) {
        const last = from + PART - 1n
        parts.push(...(await find(from, last < tip ? last : tip)))
      }
      if (parts.length === 0) notApplicable('There are no logs to be found.')
      expectEqual(await find(first, tip), parts, `logs of the blocks ${first} to ${tip}`)
    },
  },
  {
    id: 'rpc.getlogs.seen-order.01',
    title: 'Every list of logs in the run is in chain order',
    area: 'logs',
    level: 'should',
    rules: ['RPC-GETLOGS-01'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'No order is stated (OPEN-22); pollers count on the oldest coming first.',
    async run(t) {
      await t.scene(askedFilters)
      const several = t.seen
        .to('eth_getLogs')
        .filter(({ result }) => Array.isArray(result) && result.length > 1)
      await judgeEach(several, 'lists of logs', ({ result }) => {
        const places = (logs: readonly JsonObject[]) =>
          logs.map(({ blockNumber, logIndex }) => ({ blockNumber, logIndex }))
        const logs = result as JsonObject[]
        expectEqual(places(logs), places(logs.toSorted(inChainOrder)), 'result')
      })
    },
  },
])

/** Blocks of a wide range, and of each of its parts. */
const [WIDE, PART] = [256n, 16n]

/** Heights whose digits are those that heights of a chain of some blocks begin with. */
const LOW = [1n, 2n, 3n]

const heightOf = (bound: unknown) =>
  typeof bound === 'string' && /^0x[0-9a-f]+$/i.test(bound) ? BigInt(bound) : undefined

const hasTime = ({ blockTimestamp }: JsonObject) => blockTimestamp !== undefined

const KNOWN = [
  ...['topics', 'data', 'blockNumber', 'blockHash', 'blockTimestamp'],
  ...['transactionHash', 'transactionIndex', 'logIndex'],
]

/** What the index knows of a log. */
const only = (log: JsonObject) => Object.fromEntries(KNOWN.map((name) => [name, log[name]]))
