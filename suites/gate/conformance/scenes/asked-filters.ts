import type { Scene } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { toWord } from '../reads/eth-call.ts'
import { indexLogs } from '../seen/log-index.ts'
import { recentBlocks } from './recent-blocks.ts'

/** On no log. */
export const ABSENT = toWord(0xab5e47)
/** Logs nothing. */
export const QUIET = `0x${'ab'.repeat(20)}`

/** Logs whose members make filters; each makes nine. */
const MOST_LOGS = 12

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
    for (const filter of [{}, ...filters])
      await context.rpc.call('eth_getLogs', [{ fromBlock, toBlock, ...filter }])
  },
}

function filtersOf(log: JsonObject, other: JsonObject): JsonObject[] {
  const [one, two] = [log, other].map(({ topics }) => topics as string[])
  const upper = String(log.address).toUpperCase().replace('0X', '0x')
  const either = one!.map((topic, at) => [ABSENT, two![at] ?? topic, topic])
  return [
    { address: log.address },
    { address: upper },
    { address: [QUIET, other.address, log.address] },
    { topics: one },
    { topics: [...one!.slice(0, -1), ABSENT] },
    { topics: either },
    { address: log.address, topics: either },
    { topics: one!.map((topic, at) => (at === one!.length - 1 ? topic : null)) },
    { fromBlock: log.blockNumber, toBlock: log.blockNumber, topics: one!.slice(0, 1) },
  ]
}
