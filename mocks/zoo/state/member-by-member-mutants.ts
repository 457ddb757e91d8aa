import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { isHeight, isPending } from '../parts/block-selectors.ts'
import { isObject } from '../parts/is-object.ts'
import { rewriteError, rewriteFirst, rewriteParams, without } from '../rewrites.ts'

const [call, logs] = [mutantsOf('call', 'rpc'), mutantsOf('logs', 'rpc')]
const simulate = mutantsOf('simulate', 'rpc')

const SOMEBODY = `0x${'11'.repeat(20)}`
/** Half a million. */
const LITTLE_GAS = '0x7a120'

/** Changes a call by what it has and names. */
const inCall = (change: (asked: JsonObject, at: unknown) => JsonObject) =>
  rewriteParams('eth_call', ([asked, at, ...rest]) => [
    isObject(asked) ? change(asked, at) : asked,
    at,
    ...rest,
  ])

const tipForHeight = (isMeant: (asked: JsonObject) => boolean) =>
  rewriteParams('eth_call', ([asked, at, ...rest]) => [
    asked,
    isHeight(at) && isMeant(Object(asked)) ? 'latest' : at,
    ...rest,
  ])

const inEntries = (change: (entry: JsonObject) => JsonObject) =>
  rewriteFirst('eth_simulateV1', (payload) => {
    const entries = payload.blockStateCalls
    if (!Array.isArray(entries)) return payload
    const changed = entries.map((each) => (isObject(each) ? change(each) : each))
    return { ...payload, blockStateCalls: changed }
  })

/** Mutants that are wrong where one member is given, or left out, beside another. */
export const MEMBER_BY_MEMBER_MUTANTS: readonly Mutant[] = [
  call(
    'RPC-CALL-18',
    'sender-reads-the-newest',
    'A call with a sender reads the newest block, whatever the height',
    tipForHeight(({ from }) => from !== undefined),
  ),
  call(
    'RPC-CALL-18',
    'limited-reads-the-newest',
    'A call with a gas limit reads the newest block, whatever the height',
    tipForHeight(({ gas }) => gas !== undefined),
  ),
  call(
    'RPC-CALL-08',
    'little-gas-at-pending',
    'Has little gas for calls upon the pending block that name none',
    inCall((asked, at) =>
      isPending(at) && asked.gas === undefined ? { ...asked, gas: LITTLE_GAS } : asked,
    ),
  ),
  call(
    'RPC-CALL-08',
    'little-gas-for-senders',
    'Has little gas for calls with a sender that name none',
    inCall((asked) =>
      asked.from !== undefined && asked.gas === undefined ? { ...asked, gas: LITTLE_GAS } : asked,
    ),
  ),
  call(
    'RPC-CALL-04',
    'somebody-at-pending',
    'Without a sender somebody else calls upon the pending block',
    inCall((asked, at) =>
      isPending(at) && asked.from === undefined ? { ...asked, from: SOMEBODY } : asked,
    ),
  ),
  call(
    'ERR-01',
    'other-code-for-senders',
    'A call with a sender reverts with code 3',
    rewriteError('eth_call', (error, { params }) =>
      (Object(params[0]) as JsonObject).from !== undefined && error.code === -32000
        ? { ...error, code: 3 }
        : error,
    ),
  ),
  simulate(
    'RPC-SIM-13',
    'somebody-simulates',
    'Without a sender somebody else sends a simulated call',
    inEntries((entry) => {
      const { calls } = entry
      if (!Array.isArray(calls)) return entry
      const sent = calls.map((each) => (isObject(each) ? { from: SOMEBODY, ...each } : each))
      return { ...entry, calls: sent }
    }),
  ),
  simulate(
    'RPC-SIM-14',
    'override-alone-lost',
    'Ignores stateOverrides of an entry without calls',
    inEntries((entry) => (entry.calls === undefined ? without(entry, 'stateOverrides') : entry)),
  ),
  logs(
    'RPC-FLT-10',
    'topics-lost-up-to-pending',
    'Ignores topics from a sealed bound to pending',
    rewriteFirst('eth_getLogs', (filter) =>
      filter.toBlock === 'pending' && filter.fromBlock !== 'pending'
        ? without(filter, 'topics')
        : filter,
    ),
  ),
]
