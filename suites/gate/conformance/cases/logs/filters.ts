import { numberToHex } from 'viem'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getLogs } from '../../reads/get-logs.ts'
import {
  type ExpectedLog,
  OTHER,
  type SealedHistory,
  sealedHistory,
  TRANSFER,
  X,
  Y,
} from '../../scenes/sealed-history.ts'
import { inCapitals } from '../../spec/in-capitals.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`

/** Addresses or topics that no log has. */
const manyWords = (size: number) =>
  Array.from({ length: 249 }, (_, index) => numberToHex(0xdead_0000 + index, { size }))

/** A filter over the history and the logs it must give. */
interface FilterRow {
  name: string
  title: string
  rules: string[]
  why: string
  level?: 'should'
  filter(history: SealedHistory): Record<string, unknown>
  fits(log: ExpectedLog, history: SealedHistory): boolean
}

const all = (h: SealedHistory) => ({
  fromBlock: hex(h.first[0]!.blockNumber),
  toBlock: hex(h.third.blockNumber),
})
const ours = (h: SealedHistory) => [h.probes.logA, h.probes.logB, h.probes.logC]
const inFirst = (log: ExpectedLog, h: SealedHistory) =>
  log.transaction.blockNumber === h.first[0]!.blockNumber

const ROWS: readonly FilterRow[] = [
  {
    name: 'address-one',
    title: 'One address limits logs to that contract',
    rules: ['RPC-FLT-07'],
    why: 'Three contracts emit in the range; one is asked for.',
    filter: (h) => ({ ...all(h), address: h.probes.logB }),
    fits: (log) => log.emitter === 'logB',
  },
  {
    name: 'address-list',
    title: 'A list of addresses matches any member',
    rules: ['RPC-FLT-08'],
    why: 'Two of three emitters are listed; using only the first member would show.',
    filter: (h) => ({ ...all(h), address: [h.probes.logC, h.probes.logA] }),
    fits: (log) => log.emitter !== 'logB',
  },
  {
    name: 'address-case',
    title: 'The letter case of an address does not matter',
    rules: ['RPC-FLT-07'],
    why: 'Addresses are bytes; a checksummed one is the same contract.',
    filter: (h) => ({ ...all(h), address: inCapitals(h.probes.logB) }),
    fits: (log) => log.emitter === 'logB',
  },
  {
    name: 'address-long-list',
    title: 'The last of 250 addresses counts as the first',
    rules: ['RPC-FLT-08'],
    why: 'Who watches the pools of an exchange asks for hundreds; a list that is cut loses contracts in silence.',
    filter: (h) => ({ ...all(h), address: [...manyWords(20), h.probes.logA] }),
    fits: (log) => log.emitter === 'logA',
  },
  {
    name: 'topic-long-list',
    title: 'The last of 250 alternatives in a place counts as the first',
    rules: ['RPC-FLT-13'],
    why: 'Who watches many accounts asks for each of them in one place.',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [null, [...manyWords(32), X]] }),
    fits: (log) => log.topics[1] === X,
  },
  {
    name: 'topic-position',
    title: 'A topic is compared at its own position',
    rules: ['RPC-FLT-10', 'RPC-FLT-12'],
    why: 'X stands in second and later places; asked for in the first, nothing fits.',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [X] }),
    fits: () => false,
  },
  {
    name: 'topic-null',
    title: 'null matches whatever stands in its place',
    rules: ['RPC-FLT-11', 'RPC-FLT-10'],
    why: 'Logs with different first topics share X in the second place.',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [null, X] }),
    fits: (log) => log.topics[1] === X,
  },
  {
    name: 'topic-equal',
    title: 'One topic demands equality, and further topics are free',
    rules: ['RPC-FLT-12', 'RPC-FLT-19'],
    why: 'Logs with two, three and four topics begin with the asked one.',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [TRANSFER] }),
    fits: (log) => log.topics[0] === TRANSFER,
  },
  {
    name: 'topic-any-of',
    title: 'An array in a place matches any of its members',
    rules: ['RPC-FLT-13'],
    why: 'Two members, of which a log can equal only one.',
    filter: (h) => ({
      ...all(h),
      address: ours(h),
      topics: [
        [TRANSFER, OTHER],
        [Y, toWord(1)],
      ],
    }),
    fits: (log) => log.topics[1] === Y,
  },
  {
    name: 'topic-any-of-later',
    title: 'Every member of an array in a place counts, not only the first',
    rules: ['RPC-FLT-13'],
    why: 'What is looked for stands second in both places; a list cut to its first member finds less.',
    filter: (h) => ({
      ...all(h),
      address: ours(h),
      topics: [
        [OTHER, TRANSFER],
        [toWord(1), X],
      ],
    }),
    fits: (log) => log.topics[1] === X,
  },
  {
    name: 'topic-absent',
    title: 'A log with fewer topics than asked for does not fit',
    rules: ['RPC-FLT-10'],
    why: 'A concrete topic in the third place needs a third topic.',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [null, null, Y] }),
    fits: (log) => log.topics[2] === Y,
  },
  {
    name: 'topics-none',
    title: 'Without topics, logs with and without topics are found',
    rules: ['RPC-FLT-14'],
    why: 'One log in the range has none; it must be there too.',
    filter: (h) => ({ ...all(h), address: ours(h) }),
    fits: () => true,
  },
  {
    name: 'topics-empty-place',
    title: 'An empty array in a place matches anything',
    rules: ['RPC-FLT-13'],
    why: 'Decided for OPEN-20: no alternative listed is no constraint.',
    level: 'should',
    filter: (h) => ({ ...all(h), address: ours(h), topics: [[], X] }),
    fits: (log) => log.topics[1] === X,
  },
  {
    name: 'both-criteria',
    title: 'Address and topics must both fit',
    rules: ['RPC-FLT-15'],
    why: 'There are logs with the right emitter and wrong topic, and the reverse.',
    level: 'should',
    filter: (h) => ({ ...all(h), address: h.probes.logA, topics: [OTHER] }),
    fits: (log) => log.emitter === 'logA' && log.topics[0] === OTHER,
  },
  {
    name: 'block-hash',
    title: 'blockHash limits the answer to that block',
    rules: ['RPC-FLT-16'],
    why: 'Three blocks hold logs; one is named.',
    filter: (h) => ({ blockHash: h.first[0]!.blockHash, address: ours(h) }),
    fits: inFirst,
  },
  {
    name: 'block-hash-case',
    title: 'The letter case of blockHash does not matter',
    rules: ['RPC-FLT-16'],
    why: 'A hash is 32 bytes, however they are spelt.',
    filter: (h) => {
      const blockHash = inCapitals(h.first[0]!.blockHash)
      return { blockHash, address: ours(h) }
    },
    fits: inFirst,
  },
  {
    name: 'range-inclusive',
    title: 'Both ends of a range are included',
    rules: ['RPC-GETLOGS-04', 'RPC-FLT-02', 'RPC-FLT-05'],
    why: 'The first and last block of the range hold logs.',
    filter: (h) => ({ ...all(h), address: h.probes.logA }),
    fits: (log) => log.emitter === 'logA',
  },
  {
    name: 'range-one-block',
    title: 'A range of one block gives that block',
    rules: ['RPC-GETLOGS-04'],
    why: 'An excluded upper end would make it empty.',
    filter: (h) => ({
      fromBlock: hex(h.second.blockNumber),
      toBlock: hex(h.second.blockNumber),
      address: ours(h),
    }),
    fits: (log, h) => log.transaction.hash === h.second.hash,
  },
  {
    name: 'to-latest-by-default',
    title: 'Without toBlock the search ends at latest',
    rules: ['RPC-FLT-06'],
    why: 'From the first logging block on, all sealed logs are found.',
    filter: (h) => ({ fromBlock: hex(h.first[0]!.blockNumber), address: h.probes.logA }),
    fits: (log) => log.emitter === 'logA',
  },
]

async function runRow(t: CaseContext, row: FilterRow): Promise<void> {
  const history = await t.scene(sealedHistory)
  const logs = await getLogs(t.rpc, row.filter(history))
  const wanted = history.logs.filter((log) => row.fits(log, history))
  expectEqual(logs.map(brief), wanted.map(briefExpected), 'logs found')
}

function brief(log: JsonObject) {
  return `${log.transactionHash} ${String(log.address).toLowerCase()} ${JSON.stringify(log.topics)}`
}

function briefExpected(log: ExpectedLog) {
  return `${log.transaction.hash} ${log.address} ${JSON.stringify(log.topics)}`
}

/** Elsewhere than any log of ours, backwards, and wider than is served. */
const OTHER_RANGES = [
  { fromBlock: '0x0', toBlock: '0x1' },
  { fromBlock: '0x1', toBlock: '0x0' },
  { fromBlock: 'latest', toBlock: 'earliest' },
  { fromBlock: '0x0', toBlock: '0xffffff' },
]

export const cases = defineCases([
  ...ROWS.map(
    (row): ConformanceCase => ({
      id: `rpc.getlogs.${row.name}.01`,
      title: row.title,
      area: 'logs',
      rules: row.rules,
      ...(row.level ? { level: row.level } : {}),
      needs: ['rpc', 'driver'],
      rationale: row.why,
      run: (t) => runRow(t, row),
    }),
  ),
  {
    id: 'rpc.getlogs.block-hash-with-range.01',
    title: 'With blockHash, a range has no effect and causes no error',
    area: 'logs',
    rules: ['RPC-FLT-17'],
    profiles: ['spec'],
    needs: ['rpc', 'driver'],
    rationale: 'The spec says ignored, where deployed nodes refuse.',
    async run(t) {
      const history = await t.scene(sealedHistory)
      const { blockHash } = history.first[0]!
      const wanted = history.logs.filter((log) => inFirst(log, history))
      for (const range of OTHER_RANGES) {
        const logs = await getLogs(t.rpc, { blockHash, ...range, address: ours(history) })
        const at = `logs found beside ${JSON.stringify(range)}`
        expectEqual(logs.map(brief), wanted.map(briefExpected), at)
      }
    },
  },
])
