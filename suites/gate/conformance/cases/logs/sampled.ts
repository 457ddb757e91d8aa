import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectExactKeys, type JsonObject } from '../../matchers/expect-shape.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getLogs } from '../../reads/get-logs.ts'
import {
  type SampledHistory,
  type SampledLog,
  sampledHistory,
} from '../../scenes/sampled-history.ts'
import { logFields } from '../../spec/block-fields.ts'
import { inCapitals } from '../../spec/in-capitals.ts'
import type { Hex } from '../../wire/hex.ts'

const hex = (value: bigint) => `0x${value.toString(16)}`
const ABSENT = toWord(0xab5e47)

/** A question to the chain's own logs: a filter, and which of the sampled logs it must find. */
interface Question {
  filter: Record<string, unknown>
  fits(log: SampledLog): boolean
}

interface SampledRow {
  name: string
  title: string
  rules: string[]
  why: string
  level?: 'should'
  profiles?: ['spec']
  /** undefined when the sample has nothing that tells right from wrong. */
  ask(sample: SampledHistory): Question | undefined
}

const range = ({ from, to }: SampledHistory) => ({ fromBlock: hex(from), toBlock: hex(to) })

/** The value that most logs have, and some have not. */
function common<T>(
  logs: readonly SampledLog[],
  of: (log: SampledLog) => T | undefined,
): T | undefined {
  const counts = new Map<T, number>()
  for (const log of logs) {
    const value = of(log)
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const some = [...counts].filter(([, count]) => count < logs.length)
  return some.sort((a, b) => b[1] - a[1])[0]?.[0]
}

const place = (index: number) => (log: SampledLog) => log.topics[index]
const address = (log: SampledLog) => log.address

/** A row about one topic in one place. */
function byTopic(index: number, topicsOf: (topic: Hex) => unknown[]): SampledRow['ask'] {
  return (sample) => {
    const topic = common(sample.logs, place(index))
    if (!topic) return undefined
    return {
      filter: { ...range(sample), topics: topicsOf(topic) },
      fits: (log) => log.topics[index] === topic,
    }
  }
}

/** A row about one contract. */
function byAddress(write: (address: Hex) => unknown): SampledRow['ask'] {
  return (sample) => {
    const emitter = common(sample.logs, address)
    if (!emitter) return undefined
    return {
      filter: { ...range(sample), address: write(emitter) },
      fits: (log) => log.address === emitter,
    }
  }
}

const ROWS: readonly SampledRow[] = [
  {
    name: 'all',
    title: 'A range without criteria finds every log that the receipts list, in order',
    rules: ['RPC-FLT-02', 'RPC-FLT-05', 'RPC-FLT-09', 'RPC-FLT-14', 'RPC-GETLOGS-04'],
    why: 'Receipts and logs are two indexes of one history.',
    ask: (sample) => ({ filter: range(sample), fits: () => true }),
  },
  {
    name: 'address-one',
    title: 'One address limits logs to that contract',
    rules: ['RPC-FLT-07'],
    why: 'The busiest emitter is asked for, others emit in the range too.',
    ask: byAddress((emitter) => emitter),
  },
  {
    name: 'address-case',
    title: 'The letter case of an address does not matter',
    rules: ['RPC-FLT-07'],
    why: 'Addresses are bytes; a checksummed one is the same contract.',
    ask: byAddress(inCapitals),
  },
  {
    name: 'address-list',
    title: 'A list of addresses matches any member',
    rules: ['RPC-FLT-08'],
    why: 'The first member emits nothing, so the second must count.',
    ask: byAddress((emitter) => [`0x${'ab'.repeat(20)}`, emitter]),
  },
  {
    name: 'topic-equal',
    title: 'One topic demands equality, and further topics are free',
    rules: ['RPC-FLT-12', 'RPC-FLT-19'],
    why: 'The commonest event signature is asked for.',
    ask: byTopic(0, (topic) => [topic]),
  },
  {
    name: 'topic-null',
    title: 'null matches whatever stands in its place',
    rules: ['RPC-FLT-11', 'RPC-FLT-10'],
    why: 'A second topic is asked for, whatever the first is.',
    ask: byTopic(1, (topic) => [null, topic]),
  },
  {
    name: 'topic-any-of',
    title: 'An array in a place matches any of its members',
    rules: ['RPC-FLT-13'],
    why: 'The first alternative is on no log, so the second must count.',
    ask: byTopic(0, (topic) => [[ABSENT, topic]]),
  },
  {
    name: 'topic-position',
    title: 'A topic is compared at its own position',
    rules: ['RPC-FLT-10', 'RPC-FLT-12'],
    why: 'A first topic is asked for in the second place.',
    ask(sample) {
      const topic = common(sample.logs, place(0))
      if (!topic) return undefined
      return {
        filter: { ...range(sample), topics: [null, topic] },
        fits: (log) => log.topics[1] === topic,
      }
    },
  },
  {
    name: 'topics-empty-place',
    title: 'An empty array in a place matches anything',
    rules: ['RPC-FLT-13'],
    why: 'Decided for OPEN-20: no alternative listed is no constraint.',
    level: 'should',
    ask: byTopic(1, (topic) => [[], topic]),
  },
  {
    name: 'both-criteria',
    title: 'Address and topics must both fit',
    rules: ['RPC-FLT-15'],
    why: 'Each criterion alone would find more.',
    level: 'should',
    ask(sample) {
      const topic = common(sample.logs, place(0))
      const emitter = common(sample.logs, address)
      if (!topic || !emitter) return undefined
      return {
        filter: { ...range(sample), address: emitter, topics: [topic] },
        fits: (log) => log.address === emitter && log.topics[0] === topic,
      }
    },
  },
  {
    name: 'block-hash',
    title: 'blockHash limits the answer to that block',
    rules: ['RPC-FLT-16'],
    why: 'Several blocks hold logs; one is named.',
    ask(sample) {
      const blockHash = common(sample.logs, (log) => log.blockHash)
      if (!blockHash) return undefined
      return { filter: { blockHash }, fits: (log) => log.blockHash === blockHash }
    },
  },
  {
    name: 'block-hash-with-range',
    title: 'With blockHash, a range has no effect and causes no error',
    rules: ['RPC-FLT-17'],
    why: 'The spec says ignored, where deployed nodes refuse.',
    profiles: ['spec'],
    ask(sample) {
      const blockHash = common(sample.logs, (log) => log.blockHash)
      if (!blockHash) return undefined
      return {
        filter: { blockHash, fromBlock: '0x0', toBlock: '0x1' },
        fits: (log) => log.blockHash === blockHash,
      }
    },
  },
  {
    name: 'range-one-block',
    title: 'A range of one block gives that block',
    rules: ['RPC-GETLOGS-04'],
    why: 'An excluded end would make it empty.',
    ask(sample) {
      const number = common(sample.logs, (log) => log.blockNumber)
      if (number === undefined) return undefined
      return {
        filter: { fromBlock: hex(number), toBlock: hex(number) },
        fits: (log) => log.blockNumber === number,
      }
    },
  },
]

const brief = (log: JsonObject) =>
  `${Number(log.blockNumber)}/${Number(log.logIndex)} ${String(log.address).toLowerCase()} ${JSON.stringify(log.topics)}`
const briefExpected = (log: SampledLog) =>
  `${log.blockNumber}/${Number(log.logIndex)} ${log.address} ${JSON.stringify(log.topics)}`

async function runRow(t: CaseContext, row: SampledRow): Promise<void> {
  const sample = await t.scene(sampledHistory)
  const question = row.ask(sample)
  if (!question)
    return notApplicable('The sampled blocks have nothing that tells right from wrong.')
  const found = await getLogs(t.rpc, question.filter)
  const wanted = sample.logs.filter((log) => question.fits(log))
  expectEqual(found.map(brief), wanted.map(briefExpected), 'logs found')
}

/** Each sampled log with what eth_getLogs says of it. */
async function pairs(t: CaseContext): Promise<{ wanted: SampledLog; log: JsonObject }[]> {
  const sample = await t.scene(sampledHistory)
  const logs = await getLogs(t.rpc, range(sample))
  expectEqual(logs.length, sample.logs.length, 'number of logs')
  return sample.logs.map((wanted, index) => ({ wanted, log: logs[index]! }))
}

interface MemberRow {
  name: string
  title: string
  rules: string[]
  check(wanted: SampledLog, log: JsonObject, t: CaseContext): void
}

const MEMBERS: readonly MemberRow[] = [
  {
    name: 'members',
    title: 'A log of the chain has the ten documented members in their forms',
    rules: ['RPC-LOG-01'],
    check(_, log, { profile }) {
      const fields = logFields(profile)
      expectExactKeys(log, Object.keys(fields), 'log')
      for (const [name, form] of Object.entries(fields)) {
        expectForm(log[name], form, `log.${name}`)
      }
    },
  },
  {
    name: 'address-and-content',
    title: 'address, topics and data are those of the receipt',
    rules: ['RPC-LOG-02', 'RPC-LOG-03', 'RPC-LOG-04', 'RPC-LOG-05'],
    check(wanted, log) {
      expectEqual(String(log.address).toLowerCase(), wanted.address, 'log.address')
      expectEqual(log.topics, wanted.topics, 'log.topics')
      expectEqual(log.data, wanted.data, 'log.data')
    },
  },
  {
    name: 'block',
    title: 'blockNumber, blockHash and blockTimestamp are those of the block',
    rules: ['RPC-LOG-06', 'RPC-LOG-07', 'RPC-LOG-10'],
    check(wanted, log) {
      expectEqual(log.blockNumber, hex(wanted.blockNumber), 'log.blockNumber')
      expectEqual(log.blockHash, wanted.blockHash, 'log.blockHash')
      expectEqual(log.blockTimestamp, wanted.blockTimestamp, 'log.blockTimestamp')
    },
  },
  {
    name: 'transaction',
    title: 'transactionHash and transactionIndex are those of the receipt',
    rules: ['RPC-LOG-08', 'RPC-LOG-09'],
    check(wanted, log) {
      expectEqual(log.transactionHash, wanted.transactionHash, 'log.transactionHash')
      expectEqual(log.transactionIndex, wanted.transactionIndex, 'log.transactionIndex')
    },
  },
  {
    name: 'removed',
    title: 'removed is the boolean false for a canonical log',
    rules: ['RPC-LOG-12'],
    check: (_, log) => expectEqual(log.removed, false, 'log.removed'),
  },
]

export const cases = defineCases([
  ...ROWS.map(
    (row): ConformanceCase => ({
      id: `rpc.getlogs.sampled-${row.name}.01`,
      title: row.title,
      area: 'logs',
      rules: row.rules,
      ...(row.level ? { level: row.level } : {}),
      ...(row.profiles ? { profiles: row.profiles } : {}),
      needs: ['rpc'],
      rationale: `${row.why} Judged by logs that the chain already has.`,
      run: (t) => runRow(t, row),
    }),
  ),
  ...MEMBERS.map(
    ({ name, title, rules, check }): ConformanceCase => ({
      id: `rpc.log.sampled-${name}.01`,
      title,
      area: 'logs',
      rules,
      needs: ['rpc'],
      rationale: 'Receipts and logs tell of the same events; judged by what the chain already has.',
      async run(t) {
        for (const { wanted, log } of await pairs(t)) check(wanted, log, t)
      },
    }),
  ),
  {
    id: 'rpc.log.sampled-index.01',
    title: 'logIndex counts over the whole block',
    area: 'logs',
    rules: ['RPC-LOG-11'],
    needs: ['rpc'],
    rationale: 'A counter that restarts per transaction gives two logs the same place.',
    async run(t) {
      const { logs } = await t.scene(sampledHistory)
      for (const blockHash of new Set(logs.map((log) => log.blockHash))) {
        const found = await getLogs(t.rpc, { blockHash })
        const counted = found.map((_, index) => hex(BigInt(index)))
        expectEqual(
          found.map((log) => log.logIndex),
          counted,
          'log.logIndex',
        )
      }
    },
  },
])
