import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { answerInstead, rewriteFirst, rewriteParams, rewriteResult, without } from '../rewrites.ts'

const INVALID = { error: { code: -32602, message: 'Invalid params' } }

const POOR = { error: { code: -38014, message: 'insufficient funds' } }

const mutant = mutantsOf('simulate', 'rpc')

const METHOD = 'eth_simulateV1'
const blocks = (change: (blocks: JsonObject[]) => unknown) =>
  rewriteResult(METHOD, (result) => change(result as JsonObject[]))
const eachBlock = (change: (block: JsonObject, index: number) => JsonObject) =>
  blocks((all) => all.map(change))
const callsOf = (block: JsonObject) => block.calls as JsonObject[]
const eachCall = (change: (call: JsonObject, index: number, all: JsonObject[]) => JsonObject) =>
  eachBlock((block) => ({ ...block, calls: callsOf(block).map(change) }))
const payload = (change: (payload: JsonObject) => JsonObject) => rewriteFirst(METHOD, change)

const entries = (change: (entry: JsonObject) => JsonObject) =>
  payload((all) => ({ ...all, blockStateCalls: (all.blockStateCalls as JsonObject[]).map(change) }))
const overrideIgnored = (rule: string, key: string) =>
  mutant(
    rule,
    `${key.toLowerCase()}-override-ignored`,
    `Ignores an override of ${key}`,
    entries((entry) => {
      const accounts = Object.entries((entry.stateOverrides ?? {}) as Record<string, JsonObject>)
      const kept = accounts.map(([address, override]) => [address, without(override, key)])
      return { ...entry, stateOverrides: Object.fromEntries(kept) }
    }),
  )
const blockOverrideIgnored = (rule: string, key: string) =>
  mutant(
    rule,
    `block-${key}-override-ignored`,
    `Ignores a block override of ${key}`,
    entries((entry) =>
      entry.blockOverrides
        ? { ...entry, blockOverrides: without(entry.blockOverrides as JsonObject, key) }
        : entry,
    ),
  )
const member = (rule: string, field: string, says: string, value: (block: JsonObject) => unknown) =>
  mutant(
    rule,
    `${field.toLowerCase()}-wrong`,
    says,
    eachBlock((block) => ({ ...block, [field]: value(block) })),
  )
const isFailed = (call: JsonObject) => call.status === '0x0'
const sum = (calls: readonly JsonObject[]) =>
  `0x${calls.reduce((total, call) => total + BigInt(String(call.gasUsed)), 0n).toString(16)}`

/** Mutants of eth_simulateV1. */
export const SIMULATE_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-SIM-01',
    'payload-defaults',
    'A missing payload gives []',
    answerInstead(METHOD, ([first]) => (first ? undefined : { result: [] })),
  ),
  mutant(
    'RPC-SIM-02',
    'unknown-tag-is-latest',
    'Takes an unknown tag for latest',
    rewriteParams(METHOD, ([first, at]) => [first, at === 'newest' ? 'latest' : at]),
  ),
  mutant(
    'RPC-SIM-03',
    'pending-is-latest',
    'pending starts from the tip',
    rewriteParams(METHOD, ([first, at]) => [first, at === 'pending' ? 'latest' : at]),
  ),
  mutant(
    'RPC-SIM-04',
    'merged',
    'Gives one element for all entries',
    blocks((all) => all.slice(0, 1)),
  ),
  mutant(
    'RPC-SIM-05',
    'reversed',
    'Gives the elements in reverse',
    blocks((all) => all.reverse()),
  ),
  mutant(
    'RPC-SIM-06',
    'entries-default',
    'No blockStateCalls is an empty list',
    answerInstead(METHOD, ([first]) =>
      first && !(first as JsonObject).blockStateCalls ? { result: [] } : undefined,
    ),
  ),
  mutant(
    'RPC-SIM-07',
    'transfers-by-default',
    'Traces transfers by default',
    payload((all) => ({ traceTransfers: true, ...all })),
  ),
  mutant(
    'RPC-SIM-08',
    'transfers-never',
    'Adds no transfer logs',
    payload((all) => without(all, 'traceTransfers')),
  ),
  mutant(
    'RPC-SIM-09',
    'validation-by-default',
    'Validates by default',
    payload((all) => ({ validation: true, ...all })),
  ),
  mutant(
    'RPC-SIM-09',
    'value-enforced',
    'Enforces the value without validation',
    answerInstead(METHOD, ([first]) => {
      const { validation, blockStateCalls } = (first ?? {}) as JsonObject
      const calls = [blockStateCalls ?? []].flat().flatMap((entry) => callsOf(entry as JsonObject))
      const isPaid = calls.some((call) => call?.value !== undefined)
      return isPaid && !validation ? POOR : undefined
    }),
  ),
  mutant(
    'RPC-SIM-10',
    'nonce-not-validated',
    'Validates no nonce',
    payload((all) => {
      if (!all.validation) return all
      const list = all.blockStateCalls as JsonObject[]
      const isNonceTest = list.some((entry) => entry.stateOverrides)
      return isNonceTest ? without(all, 'validation') : all
    }),
  ),
  mutant(
    'RPC-SIM-11',
    'balance-not-validated',
    'Lets a value above the balance succeed',
    rewriteParams(METHOD, ([first, at]) => {
      const all = first as JsonObject | null
      if (!all?.validation) return [first, at]
      const list = (all.blockStateCalls as JsonObject[]).map((entry) => ({
        ...entry,
        calls: (entry.calls as JsonObject[]).map((call) => without(call, 'value')),
        stateOverrides: {
          ...(entry.stateOverrides as JsonObject | undefined),
          ...Object.fromEntries(
            (entry.calls as JsonObject[])
              .filter((call) => call.value)
              .map((call) => [call.from, { balance: '0xffffffffffffffffff' }]),
          ),
        },
      }))
      return [{ ...all, blockStateCalls: list }, at]
    }),
  ),
  mutant(
    'RPC-SIM-12',
    'calls-demanded',
    'Refuses an entry without calls',
    answerInstead(METHOD, ([first]) => {
      const list = ((first ?? {}) as JsonObject).blockStateCalls
      const isBare = Array.isArray(list) && list.some((entry) => !entry.calls)
      return isBare ? INVALID : undefined
    }),
  ),
  mutant(
    'RPC-SIM-13',
    'value-ignored',
    'Ignores the value of a call',
    entries((entry) => ({
      ...entry,
      ...(entry.calls
        ? { calls: (entry.calls as JsonObject[]).map((call) => without(call, 'value')) }
        : {}),
    })),
  ),
  mutant(
    'RPC-SIM-14',
    'overrides-ignored',
    'Ignores state overrides',
    entries((entry) => without(entry, 'stateOverrides')),
  ),
  mutant(
    'RPC-SIM-15',
    'overrides-late',
    'Applies state overrides after the first call',
    entries((entry) =>
      (entry.calls as unknown[] | undefined)?.length === 1
        ? without(entry, 'stateOverrides')
        : entry,
    ),
  ),
  overrideIgnored('RPC-SIM-16', 'balance'),
  overrideIgnored('RPC-SIM-17', 'nonce'),
  overrideIgnored('RPC-SIM-18', 'code'),
  overrideIgnored('RPC-SIM-19', 'stateDiff'),
  blockOverrideIgnored('RPC-SIM-20', 'number'),
  blockOverrideIgnored('RPC-SIM-21', 'timestamp'),
  mutant(
    'RPC-SIM-22',
    'few-members',
    'Gives the tabulated members only',
    eachBlock((block) => without(block, 'miner', 'logsBloom', 'uncles', 'withdrawals')),
  ),
  member('RPC-SIM-23', 'number', 'null as for pending', () => null),
  member('RPC-SIM-24', 'hash', "The parent's hash", (block) => block.parentHash),
  mutant(
    'RPC-SIM-25',
    'all-name-the-base',
    'All elements name the base block',
    blocks((all) => all.map((block) => ({ ...block, parentHash: all[0]?.parentHash }))),
  ),
  member('RPC-SIM-26', 'timestamp', 'Zero', () => '0x0'),
  mutant(
    'RPC-SIM-27',
    'gas-limit-dropped',
    'No gasLimit',
    eachBlock((block) => without(block, 'gasLimit')),
  ),
  member('RPC-SIM-28', 'gasUsed', 'Gas of the last call', (block) => sum(callsOf(block).slice(-1))),
  member('RPC-SIM-29', 'baseFeePerGas', 'A JSON number', () => 0),
  member('RPC-SIM-30', 'stateRoot', 'A root', (block) => block.transactionsRoot),
  mutant('RPC-SIM-31', 'leaks', 'A simulated counter stays counted', () => {
    let simulated = false
    return {
      response(response, { method }) {
        if (method === METHOD) simulated = true
        const isOne = /^0x0{63}1$/.test(String(response.result))
        if (method !== 'eth_call' || !simulated || !isOne) return response
        return { ...response, result: `0x${'2'.padStart(64, '0')}` }
      },
    }
  }),
  mutant(
    'RPC-SIM-32',
    'stops-at-failure',
    'Stops after the first failed call',
    eachBlock((block) => {
      const at = callsOf(block).findIndex(isFailed)
      return at < 0 ? block : { ...block, calls: callsOf(block).slice(0, at + 1) }
    }),
  ),
  mutant(
    'RPC-SIM-32',
    'max-used-gas',
    'Adds maxUsedGas to a call result',
    eachCall((call) => ({ ...call, maxUsedGas: call.gasUsed })),
  ),
  mutant(
    'RPC-SIM-33',
    'status-true',
    'status is true',
    eachCall((call) => (isFailed(call) ? call : { ...call, status: true })),
  ),
  mutant(
    'RPC-SIM-34',
    'failure-is-success',
    'A failed call is 0x1',
    eachCall((call) => ({ ...call, status: '0x1' })),
  ),
  mutant(
    'RPC-SIM-35',
    'cumulative-gas',
    'gasUsed of a call is cumulative',
    eachCall((call, index, all) => ({ ...call, gasUsed: sum(all.slice(0, index + 1)) })),
  ),
  mutant(
    'RPC-SIM-36',
    'null-return-data',
    'null for no bytes',
    eachCall((call) => ({
      ...call,
      returnData: call.returnData === '0x' ? null : call.returnData,
    })),
  ),
  mutant(
    'RPC-SIM-37',
    'no-logs',
    'Fills logs only when transfers are traced',
    rewriteResult(METHOD, (result, { params }) =>
      (params[0] as JsonObject).traceTransfers
        ? result
        : (result as JsonObject[]).map((block) => ({
            ...block,
            calls: callsOf(block).map((call) => ({ ...call, logs: [] })),
          })),
    ),
  ),
  mutant(
    'RPC-SIM-38',
    'error-object',
    'error is an object',
    eachCall((call) =>
      call.error ? { ...call, error: { code: 3, message: String(call.error) } } : call,
    ),
  ),
  mutant('ERR-05', 'failure-fails-all', 'A failed call is an error for the whole request', () => ({
    response(response, { method }) {
      const all = (response.result ?? []) as JsonObject[]
      const failed = method === METHOD && all.some((block) => callsOf(block).some(isFailed))
      if (!failed) return response
      const error = { code: -32000, message: 'execution reverted' }
      return { ...without(response, 'result'), error }
    },
  })),
  mutant(
    'RPC-SIM-08',
    'creation-untraced',
    'Traces no transfer to what a call without to creates',
    rewriteResult(METHOD, (result, { params }) => {
      const [asked] = params as [JsonObject]
      if (!asked.traceTransfers) return result
      return (result as JsonObject[]).map((block, at) => ({
        ...block,
        calls: callsOf(block).map((call, index) =>
          callsOf((asked.blockStateCalls as JsonObject[])[at]!)[index]!.to
            ? call
            : { ...call, logs: [] },
        ),
      }))
    }),
  ),
  mutant('RPC-SIM-31', 'overrides-for-all', 'Lays its overrides on what calls read, too', () => {
    let overrides: unknown
    return {
      call(call) {
        if (call.method === METHOD) {
          const [entry] = Object((call.params[0] as JsonObject)?.blockStateCalls) as JsonObject[]
          overrides = entry?.stateOverrides
        }
        if (call.method !== 'eth_call' || call.params.length > 2 || !overrides) return call
        return { ...call, params: [call.params[0], call.params[1] ?? 'latest', overrides] }
      },
      response(response, { method }) {
        if (method === METHOD) overrides = undefined
        return response
      },
    }
  }),
]
