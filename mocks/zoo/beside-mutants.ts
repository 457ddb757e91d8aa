import type { JsonObject, Mutant } from './mutant.ts'
import { mutantsOf } from './mutant.ts'
import {
  answerInstead,
  rewriteBlock,
  rewriteFirst,
  rewriteLog,
  rewriteParams,
  rewriteResult,
  without,
} from './rewrites.ts'

/**
 * Mutants that are right where one thing is asked for, and wrong where another stands beside it: another block,
 * another switch, a block that was there before, longer bytes, or another precompile.
 */

const [call, simulate, selectors, logs, block] = [
  ...[mutantsOf('call', 'rpc'), mutantsOf('simulate', 'rpc')],
  ...[mutantsOf('selectors', 'rpc'), mutantsOf('logs', 'rpc'), mutantsOf('block', 'rpc')],
] as const

const isHeight = (selector: unknown) => /^0x[0-9a-f]+$/i.test(String(selector))
const isPending = (selector: unknown) => selector === 'pending'
const isSafe = (selector: unknown) => selector === 'safe'
const isFinalized = (selector: unknown) => selector === 'finalized'
const isObject = (value: unknown): value is JsonObject => Object(value) === value

/** Leaves members of a call out where it names such a block. */
const callWithout = (isMeant: (selector: unknown) => boolean, ...names: string[]) =>
  rewriteParams('eth_call', ([asked, ...rest]) =>
    isObject(asked) && isMeant(rest[0]) ? [without(asked, ...names), ...rest] : [asked, ...rest],
  )

/** Changes payloads that name such a block, or are such themselves. */
const payload = (
  isMeant: (selector: unknown, asked: JsonObject) => boolean,
  change: (asked: JsonObject) => JsonObject,
) =>
  rewriteParams('eth_simulateV1', ([asked, ...rest]) =>
    isObject(asked) && isMeant(rest[0], asked) ? [change(asked), ...rest] : [asked, ...rest],
  )

const validates = (_: unknown, { validation }: JsonObject) => validation === true
const untraced = (asked: JsonObject) => without(asked, 'traceTransfers')
const unvalidated = (asked: JsonObject) => without(asked, 'validation')
const inEntries =
  (change: (entry: JsonObject) => JsonObject) =>
  (asked: JsonObject): JsonObject => {
    const entries = asked.blockStateCalls
    if (!Array.isArray(entries)) return asked
    const changed = entries.map((each) => (isObject(each) ? change(each) : each))
    return { ...asked, blockStateCalls: changed }
  }
const ofNoBlock = inEntries((entry) => without(entry, 'blockOverrides'))
const ofNoState = inEntries((entry) => without(entry, 'stateOverrides'))

/** What four bytes keep of a time. */
const inFourBytes = inEntries((entry) => {
  const overrides = entry.blockOverrides
  if (!isObject(overrides) || typeof overrides.timestamp !== 'string') return entry
  const timestamp = `0x${(BigInt(overrides.timestamp) % 2n ** 32n).toString(16)}`
  return { ...entry, blockOverrides: { ...overrides, timestamp } }
})

/** Gives the list of transactions at a tag in the other form. */
const otherForm = (isMeant: (selector: unknown) => boolean) =>
  rewriteParams('eth_getBlockByNumber', ([selector, isWhole]) =>
    isMeant(selector) ? [selector, !isWhole] : [selector, isWhole],
  )

/** What was answered first to a question at a height is its answer from then on. */
const keptByHeight =
  (method: string, at: number): Mutant['apply'] =>
  () => {
    const kept = new Map<string, unknown>()
    return {
      response(response, { method: asked, params }) {
        if (asked !== method || !isHeight(params[at]) || !('result' in response)) return response
        const question = JSON.stringify(params)
        if (!kept.has(question)) kept.set(question, response.result)
        return { ...response, result: kept.get(question) }
      },
    }
  }

/** Precompiles at these addresses are accounts without code. */
const withoutPrecompiles = (which: RegExp) =>
  answerInstead('eth_call', ([asked]) =>
    isObject(asked) && which.test(String(asked.to)) ? { result: '0x' } : undefined,
  )

/** Bytes in hex, up to two thousand. */
const cut = (data: unknown) => String(data).slice(0, 2 + 2 * 2_000)

/** A filter with no more places of topics than that. */
const placesOf = (filter: JsonObject, most: number): JsonObject =>
  Array.isArray(filter.topics) ? { ...filter, topics: filter.topics.slice(0, most) } : filter

const TRANSFERS_LOST = [
  ['by-validation', 'with validation', validates],
  ['at-pending', 'upon the pending block', isPending],
  ['at-height', 'upon a height', isHeight],
] as const
const OVERRIDES_LOST = [
  ['by-validation', 'with validation', validates],
  ['at-pending', 'upon the pending block', isPending],
  ['at-safe', 'upon the safe block', isSafe],
] as const
const VALUE_LOST = [
  ['at-height', 'upon a height', isHeight],
  ['at-safe', 'upon the safe block', isSafe],
  ['at-finalized', 'upon the finalized block', isFinalized],
] as const

const PENDING_OR_HEIGHT = [
  ['at-pending', 'upon the pending block', isPending],
  ['at-height', 'upon a height', isHeight],
] as const

export const BESIDE_MUTANTS: readonly Mutant[] = [
  ...VALUE_LOST.map(([name, where, isMeant]) =>
    call(
      'RPC-CALL-13',
      `value-lost-${name}`,
      `Ignores the value of a call ${where}`,
      callWithout(isMeant, 'value'),
    ),
  ),
  ...PENDING_OR_HEIGHT.map(([name, where, isMeant]) =>
    call(
      'RPC-CALL-09',
      `gas-lost-${name}`,
      `Ignores the gas of a call ${where}`,
      callWithout(isMeant, 'gas'),
    ),
  ),
  block(
    'RPC-BLK-23',
    'other-form-at-safe',
    'The flag is turned round for the safe block',
    otherForm(isSafe),
  ),
  block(
    'RPC-BLK-22',
    'other-form-at-finalized',
    'The flag is turned round for the finalized block',
    otherForm(isFinalized),
  ),
  call(
    'RPC-CALL-10',
    'price-lost-at-pending',
    'Ignores the gas price of a call upon the pending block',
    callWithout(isPending, 'gasPrice'),
  ),
  call(
    'RPC-CALL-11',
    'cap-lost-at-pending',
    'Ignores what a call upon the pending block pays at most',
    callWithout(isPending, 'maxFeePerGas', 'maxPriorityFeePerGas'),
  ),
  ...TRANSFERS_LOST.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-08',
      `transfers-lost-${name}`,
      `Traces no transfers ${where}`,
      payload(isMeant, untraced),
    ),
  ),
  ...PENDING_OR_HEIGHT.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-10',
      `not-validated-${name}`,
      `Validates nothing ${where}`,
      payload(isMeant, unvalidated),
    ),
  ),
  ...OVERRIDES_LOST.map(([name, where, isMeant]) =>
    simulate(
      'RPC-SIM-20',
      `block-overrides-lost-${name}`,
      `Ignores blockOverrides ${where}`,
      payload(isMeant, ofNoBlock),
    ),
  ),
  simulate(
    'RPC-SIM-14',
    'state-overrides-lost-at-finalized',
    'Ignores stateOverrides upon the finalized block',
    payload(isFinalized, ofNoState),
  ),
  simulate(
    'RPC-SIM-21',
    'timestamp-in-four-bytes',
    'A timestamp override keeps its lower 32 bits',
    payload(() => true, inFourBytes),
  ),
  selectors(
    'RPC-CALL-18',
    'calls-of-height-kept',
    'Keeps what calls return at a height, over a reorganization too',
    keptByHeight('eth_call', 1),
  ),
  selectors(
    'RPC-STOR-07',
    'slots-of-height-kept',
    'Keeps what slots hold at a height, over a reorganization too',
    keptByHeight('eth_getStorageAt', 2),
  ),
  selectors(
    'RPC-SIM-25',
    'simulations-of-height-kept',
    'Keeps simulations upon a height, over a reorganization too',
    keptByHeight('eth_simulateV1', 1),
  ),
  call('RPC-CALL-07', 'nobody-signed', 'ECRECOVER finds nobody', withoutPrecompiles(/^0x0{39}1$/)),
  call(
    'RPC-CALL-07',
    'few-precompiles',
    'Has the precompiles up to 4, and no other',
    withoutPrecompiles(/^0x0{39}[5-9]$/),
  ),
  logs(
    'RPC-LOG-05',
    'data-cut-2000',
    'Gives 2,000 bytes of the data of a log, and no more',
    rewriteLog((log) => ({ ...log, data: cut(log.data) })),
  ),
  ...(
    [
      [
        'RPC-FLT-02',
        'fromBlock',
        'safe',
        'from-safe-to-latest',
        'Searches from the newest block for the safe one',
      ],
      [
        'RPC-FLT-02',
        'fromBlock',
        'finalized',
        'from-finalized-to-latest',
        'Searches from the newest block for the finalized one',
      ],
      [
        'RPC-FLT-05',
        'toBlock',
        'finalized',
        'to-finalized-to-latest',
        'Searches to the newest block for the finalized one',
      ],
      [
        'RPC-FLT-05',
        'toBlock',
        'earliest',
        'to-earliest-to-latest',
        'Searches to the newest block for the first one',
      ],
    ] as const
  ).map(([rule, bound, tag, name, says]) =>
    logs(
      rule,
      name,
      says,
      rewriteFirst('eth_getLogs', (filter) =>
        filter[bound] === tag ? { ...filter, [bound]: 'latest' } : filter,
      ),
    ),
  ),
  logs(
    'RPC-LOG-11',
    'index-of-a-byte',
    'Counts logs of a block from zero again after 256',
    rewriteLog((log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) % 256).toString(16)}` })),
  ),
  logs(
    'RPC-GETLOGS-01',
    'two-hundred',
    'Finds two hundred logs, and no more',
    rewriteResult('eth_getLogs', (result) => (result as JsonObject[]).slice(0, 200)),
  ),
  logs(
    'RPC-FLT-10',
    'third-place-by-hash',
    'Reads two places of topics where a block hash is given, and no third',
    rewriteFirst('eth_getLogs', (filter) => (filter.blockHash ? placesOf(filter, 2) : filter)),
  ),
  logs(
    'RPC-FLT-10',
    'fourth-place-at-pending',
    'Reads three places of topics at pending, and no fourth',
    rewriteFirst('eth_getLogs', (filter) =>
      filter.fromBlock === 'pending' ? placesOf(filter, 3) : filter,
    ),
  ),
  simulate(
    'RPC-SIM-13',
    'price-ignored',
    'Ignores the gas price of a simulated call, and not its other fees',
    rewriteFirst('eth_simulateV1', (asked) => {
      const entries = asked.blockStateCalls
      if (!Array.isArray(entries)) return asked
      const blockStateCalls = (entries as JsonObject[]).map((entry) =>
        Array.isArray(entry?.calls)
          ? {
              ...entry,
              calls: (entry.calls as JsonObject[]).map((each) => without(each, 'gasPrice')),
            }
          : entry,
      )
      return { ...asked, blockStateCalls }
    }),
  ),
  ...(
    [
      ['accessList', 'second-access-lost', 'Gives the first entry of an access list, and no other'],
      [
        'authorizationList',
        'second-authorization-lost',
        'Gives the first authorization of a transaction, and no other',
      ],
    ] as const
  ).map(([list, name, says]) =>
    block(
      'RPC-BLK-23',
      name,
      says,
      rewriteBlock((each) => ({
        ...each,
        transactions: (each.transactions as (JsonObject | string)[]).map((one) =>
          isObject(one) && Array.isArray(one[list])
            ? { ...one, [list]: one[list].slice(0, 1) }
            : one,
        ),
      })),
    ),
  ),
]
