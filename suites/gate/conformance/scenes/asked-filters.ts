import type { Scene } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { toWord } from '../reads/eth-call.ts'
import { indexLogs } from '../seen/log-index.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import { recentBlocks } from './recent-blocks.ts'

/** On no log. */
export const ABSENT = toWord(0xab5e47)
/** Logs nothing. */
export const QUIET = `0x${'ab'.repeat(20)}`

/** Logs whose members make filters; each makes nineteen. */
const MOST_LOGS = 9

/** Asks eth_getLogs by filters made of logs that are there, so that every answer is known. */
export const askedFilters: Scene<void> = {
  name: 'asked filters',
  kind: 'observation',
  async build(context) {
    const { receipts = [] } = await context.scene(recentBlocks)
    const { first, last, logs } = indexLogs(receipts)
    const [fromBlock, toBlock] = [first, last].map((height) => `0x${height.toString(16)}`)
    const step = Math.max(1, Math.floor(logs.length / MOST_LOGS))
    const picked = logs.filter((_, index) => index % step === 0).slice(0, MOST_LOGS)
    const filters = picked.flatMap((log, index) => filtersOf(log, picked.at(index - 1)!))
    for (const filter of [{}, ...filters]) {
      const range = 'blockHash' in filter ? {} : { fromBlock, toBlock }
      await context.rpc.call('eth_getLogs', [{ ...range, ...filter }])
    }
  },
}

/** Further alternatives than a node might read. */
const MANY = 20
const nobody = (at: number) => `0x${'ac'.repeat(19)}${at.toString(16).padStart(2, '0')}`

function filtersOf(log: JsonObject, other: JsonObject): JsonObject[] {
  const [one, two] = [log, other].map(({ topics }) => topics as string[])
  const upper = inCapitals(String(log.address))
  const either = one!.map((topic, at) => [ABSENT, two![at] ?? topic, topic])
  const { blockHash } = log
  return [
    { blockHash, topics: [ABSENT] },
    { blockHash, topics: one },
    { blockHash, topics: either, address: [QUIET, log.address] },
    { blockHash, topics: [...one!.slice(0, -1), ABSENT] },
    { blockHash, address: QUIET },
    { topics: one!.map(inCapitals) },
    { topics: either.map((place) => place.map((topic) => inCapitals(topic))) },
    {
      address: Array.from({ length: MANY }, (_, at) =>
        at === MANY - 1 ? log.address : nobody(at),
      ),
    },
    {
      topics: [
        [...Array.from({ length: MANY }, (_, at) => toWord(0xab5e47 + at)), ...one!.slice(0, 1)],
      ],
    },
    { address: log.address },
    { address: upper },
    { address: [QUIET, other.address, log.address] },
    // Named twice, it is one contract.
    { address: [log.address, upper, log.address] },
    { topics: one },
    { topics: [...one!.slice(0, -1), ABSENT] },
    { topics: either },
    { address: log.address, topics: either },
    { topics: one!.map((topic, at) => (at === one!.length - 1 ? topic : null)) },
    { fromBlock: log.blockNumber, toBlock: log.blockNumber, topics: one!.slice(0, 1) },
  ]
}
