import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { rewriteResult, without } from './rewrites.ts'

/** One answer in so many is wrong. */
const RARE = 5

const isPending = (params: readonly unknown[]) => params.at(-1) === 'pending'

/** Reads the sealed state now and then, where the pending one was asked for. */
const staleAtPending =
  (method: string): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      call(call) {
        if (call.method !== method || !isPending(call.params)) return call
        met += 1
        return met % RARE === 0
          ? { ...call, params: [...call.params.slice(0, -1), 'latest'] }
          : call
      },
    }
  }

/** A tag names the block before the one that it named, now and then. */
const staleTag =
  (tag: string): Mutant['apply'] =>
  (context) => {
    let met = 0
    return rewriteResult('eth_getBlockByNumber', async (result, { params }, { ask }) => {
      const found = result as JsonObject | null
      if (params[0] !== tag || !found || found.number === '0x0') return found
      met += 1
      if (met % RARE !== 0) return found
      const before = `0x${(BigInt(String(found.number)) - 1n).toString(16)}`
      return ask('eth_getBlockByNumber', [before, params[1]])
    })(context)
  }

/** The first pending answers after a seal are those of the block that was sealed. */
const lateSeal: Mutant['apply'] = (context) => {
  const newest = new Map<unknown, JsonObject>()
  let late = 0
  return rewriteResult('eth_getBlockByNumber', (result, { params }) => {
    const found = result as JsonObject | null
    if (params[0] !== 'pending' || !found) return found
    const kept = newest.get(params[1])
    if (kept && kept.parentHash !== found.parentHash && ++late < 6) return kept
    late = 0
    newest.set(params[1], found)
    return found
  })(context)
}

/** Milliseconds: less than a look, so that the two around it are of the block before and of the one after. */
const AFTER_SEAL = 60

/** The pending logs of the block before for a moment after a block was seen sealed. */
const logsStay: Mutant['apply'] = ({ clock }) => {
  const kept = new Map<string, unknown>()
  let [head, since]: [unknown, number] = [undefined, 0]
  return {
    response(response, { method, params }) {
      const [at] = params
      const { number } = (response.result ?? {}) as JsonObject
      if (method === 'eth_getBlockByNumber' && at === 'latest' && number !== head)
        [head, since] = [number, clock.now()]
      const { fromBlock } = (at ?? {}) as JsonObject
      if (method !== 'eth_getLogs' || fromBlock !== 'pending' || !response.result) return response
      const question = JSON.stringify(params)
      const old = kept.get(question)
      if (old && clock.now() - since < AFTER_SEAL) return { ...response, result: old }
      kept.set(question, response.result)
      return response
    },
  }
}

/** The pending logs lack the newest each second time: few answers have any. */
const lostLog: Mutant['apply'] = (context) => {
  let met = 0
  return rewriteResult('eth_getLogs', (result, { params }) => {
    const logs = result as unknown[]
    if ((params[0] as JsonObject).fromBlock !== 'pending' || logs.length === 0) return logs
    met += 1
    return met % 2 === 0 ? logs.slice(0, -1) : logs
  })(context)
}

/** Reads a filter at pending in another way now and then. */
const narrowAtPending =
  (change: (filter: JsonObject) => JsonObject): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      call(call) {
        const filter = (call.params[0] ?? {}) as JsonObject
        if (call.method !== 'eth_getLogs' || filter.fromBlock !== 'pending') return call
        const changed = change(filter)
        if (changed === filter) return call
        met += 1
        return met % RARE === 0 ? { ...call, params: [changed] } : call
      },
    }
  }

/** The first alternative alone, in each place that has several. */
const firstTopics: Mutant['apply'] = narrowAtPending((filter) => {
  const topics = Array.isArray(filter.topics) ? filter.topics : []
  if (!topics.some(Array.isArray)) return filter
  return { ...filter, topics: topics.map((each) => (Array.isArray(each) ? each[0] : each)) }
})

const firstAddress: Mutant['apply'] = narrowAtPending((filter) =>
  Array.isArray(filter.address) ? { ...filter, address: filter.address[0] } : filter,
)

const noAddress: Mutant['apply'] = narrowAtPending((filter) =>
  typeof filter.address === 'string' ? without(filter, 'address') : filter,
)

const inCallsOf =
  (change: (call: JsonObject, block: number) => JsonObject) =>
  (result: unknown): unknown =>
    (result as JsonObject[]).map((block, index) => ({
      ...block,
      calls: (block.calls as JsonObject[]).map((call) => change(call, index)),
    }))

/** Bytes of a reason with one word: what is longer is not given whole. */
const REASON = 100
const cutReason = (data: unknown) => String(data).slice(0, 2 + 2 * REASON)

const reasonCut: Mutant['apply'] = rewriteResult(
  'eth_simulateV1',
  inCallsOf((call) =>
    call.status === '0x0' ? { ...call, returnData: cutReason(call.returnData) } : call,
  ),
)

const laterLogsTurned: Mutant['apply'] = rewriteResult(
  'eth_simulateV1',
  inCallsOf((call, block) =>
    block > 0 && Array.isArray(call.logs) ? { ...call, logs: call.logs.toReversed() } : call,
  ),
)

/** The sum of the block stays as it is, as one who looks at sums alone would not see otherwise. */
const gasMoved: Mutant['apply'] = rewriteResult('eth_simulateV1', (result) =>
  (result as JsonObject[]).map((block) => {
    const [first, second, ...rest] = block.calls as JsonObject[]
    if (first?.status !== '0x0' || !second) return block
    const [less, more] = [BigInt(String(first.gasUsed)) - 1n, BigInt(String(second.gasUsed)) + 1n]
    const calls = [
      { ...first, gasUsed: `0x${less.toString(16)}` },
      { ...second, gasUsed: `0x${more.toString(16)}` },
      ...rest,
    ]
    return { ...block, calls }
  }),
)

const callReasonCut: Mutant['apply'] = () => ({
  async response(response, { method }) {
    const error = response.error as JsonObject | undefined
    if (method !== 'eth_call' || typeof error?.data !== 'string') return response
    return { ...response, error: { ...error, data: cutReason(error.data) } }
  },
})

/** Mutants that err now and then, so that who looks once may miss them. */
export const RARE_MUTANTS: readonly Mutant[] = [
  mutantsOf('selectors', 'rpc')(
    'RPC-SEL-10',
    'latest-back',
    'latest goes back now and then',
    staleTag('latest'),
  ),
  mutantsOf('pending', 'rpc')(
    'RPC-PEND-11',
    'late-seal',
    'The old pending block after the seal',
    lateSeal,
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-GETLOGS-03',
    'pending-stay',
    'Pending logs stay for a moment when their block is sealed',
    logsStay,
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-GETLOGS-02',
    'pending-lost',
    'A pending log is missing each second time',
    lostLog,
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-FLT-13',
    'pending-first-topic',
    'Reads the first of a list of topics alone at pending, now and then',
    firstTopics,
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-FLT-08',
    'pending-first-address',
    'Reads the first of a list of addresses alone at pending, now and then',
    firstAddress,
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-FLT-07',
    'pending-any-address',
    'Ignores the address at pending, now and then',
    noAddress,
  ),
  mutantsOf('call', 'rpc')(
    'RPC-CALL-19',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_call'),
  ),
  mutantsOf('storage', 'rpc')(
    'RPC-STOR-08',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_getStorageAt'),
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-36',
    'long-reason-cut',
    'Gives 100 bytes of what a simulated call reverts with, and no more',
    reasonCut,
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-37',
    'later-logs-turned',
    'Turns the logs of calls in later blocks round',
    laterLogsTurned,
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-35',
    'failed-gas-moved',
    'Counts one gas of a failed call with the call after it',
    gasMoved,
  ),
  mutantsOf('call', 'rpc')(
    'ERR-03',
    'long-reason-cut',
    'Gives 100 bytes of what a call reverts with, and no more',
    callReasonCut,
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-03',
    'pending-stale',
    'pending is latest now and then',
    staleAtPending('eth_simulateV1'),
  ),
]
