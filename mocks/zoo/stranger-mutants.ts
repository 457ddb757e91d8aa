import { headerHash } from '#suites/gate/conformance/spec/header'
import type { JsonObject, Mutant } from './mutant.ts'
import { mutantsOf } from './mutant.ts'
import { plusOne } from './plus-one.ts'
import {
  answerInstead,
  rewriteBlock,
  rewriteError,
  rewriteParams,
  rewriteResult,
} from './rewrites.ts'

/**
 * Mutants that a stranger made who knew the specs and not the cases: what is long is cut, what is large is
 * made small, and what stands in another letter case, at another tag or deeper is read otherwise.
 */

const [logs, call, simulate, storage, selectors, pending, envelope, block] = [
  ...[mutantsOf('logs', 'rpc'), mutantsOf('call', 'rpc'), mutantsOf('simulate', 'rpc')],
  ...[mutantsOf('storage', 'rpc'), mutantsOf('selectors', 'rpc'), mutantsOf('pending', 'rpc')],
  ...[mutantsOf('envelope', 'rpc'), mutantsOf('block', 'rpc')],
] as const

const cut = (bytes: unknown, length: number) => String(bytes).slice(0, 2 + 2 * length)
const hasCapitals = (value: unknown) => /[A-F]/.test(JSON.stringify(value ?? ''))
const lowest = (value: string, bits: bigint) =>
  `0x${BigInt.asUintN(Number(bits), BigInt(value)).toString(16).padStart(64, '0')}`
const isTransfer = ({ address }: JsonObject) => /^0xe{40}$/i.test(String(address))

/** Changes each call of each simulated block. */
const eachCall = (change: (result: JsonObject) => JsonObject): Mutant['apply'] =>
  rewriteResult('eth_simulateV1', (result) =>
    (result as JsonObject[]).map((each) => ({
      ...each,
      calls: (each.calls as JsonObject[]).map(change),
    })),
  )

/** Only so many of the transfers that a call is told. */
const transfersCut = eachCall((result) => {
  let found = 0
  const kept = (result.logs as JsonObject[]).filter((log) => !isTransfer(log) || ++found <= 2)
  return { ...result, logs: kept }
})

const lastDigit = (hash: unknown) =>
  String(hash).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

const atTag = (method: string, at: number, tag: string, instead: string) =>
  rewriteParams(method, (params) =>
    params.map((each, index) => (index === at && each === tag ? instead : each)),
  )

const inEntries = (params: readonly unknown[], change: (entry: JsonObject) => JsonObject) => {
  const [payload, ...rest] = params
  const { blockStateCalls } = (payload ?? {}) as JsonObject
  if (!Array.isArray(blockStateCalls)) return params
  return [{ ...(payload as JsonObject), blockStateCalls: blockStateCalls.map(change) }, ...rest]
}

/** The block and its logs are named by its changed header, so that nothing else gives it away. */
const lastSimulated = (
  change: (block: JsonObject, isLater: boolean) => JsonObject,
): Mutant['apply'] =>
  rewriteResult('eth_simulateV1', (result) => {
    const blocks = result as JsonObject[]
    const block = blocks.at(-1)
    if (!block) return result
    const changed = change(block, blocks.length > 1)
    const hash = headerHash(changed)
    const calls = (block.calls as JsonObject[]).map((each) => ({
      ...each,
      logs: (each.logs as JsonObject[]).map((log) => ({ ...log, blockHash: hash })),
    }))
    return [...blocks.slice(0, -1), { ...changed, hash, calls }]
  })

/** Storage under one name is taken for the other: alone, or beside what is there. */
const storageNamed = (from: string, to: string): Mutant['apply'] =>
  rewriteParams('eth_simulateV1', (params) =>
    inEntries(params, (entry) => {
      const accounts = Object.entries((entry?.stateOverrides ?? {}) as Record<string, JsonObject>)
      const stateOverrides = accounts.map(([address, account]) => [
        address,
        Object.fromEntries(
          Object.entries(account ?? {}).map(([name, value]) => [name === from ? to : name, value]),
        ),
      ])
      return { ...entry, stateOverrides: Object.fromEntries(stateOverrides) }
    }),
  )

const SOMETIMES = 30

export const STRANGER_MUTANTS: readonly Mutant[] = [
  logs(
    'RPC-LOG-05',
    'data-cut-64',
    'Gives 64 bytes of the data of a log, and no more',
    rewriteResult('eth_getLogs', (result) =>
      (result as JsonObject[]).map((log) => ({ ...log, data: cut(log.data, 64) })),
    ),
  ),
  logs(
    'RPC-FLT-10',
    'topic-in-capitals',
    'Finds no topic that is asked for in capitals',
    answerInstead('eth_getLogs', ([filter]) =>
      hasCapitals((filter as JsonObject | undefined)?.topics) ? { result: [] } : undefined,
    ),
  ),
  logs(
    'RPC-FLT-16',
    'topics-dropped-by-hash',
    'Drops the topics where a block hash is given',
    rewriteParams('eth_getLogs', (params) => {
      const { blockHash, topics: _, ...rest } = (params[0] ?? {}) as JsonObject
      return blockHash === undefined ? params : [{ blockHash, ...rest }]
    }),
  ),
  call(
    'RPC-CALL-03',
    'return-cut-1000',
    'Returns 1,000 bytes, and no more',
    rewriteResult('eth_call', (result) => cut(result, 1_000)),
  ),
  call(
    'ERR-03',
    'revert-cut-1000',
    'Gives 1,000 bytes of what a call reverts with, and no more',
    rewriteError('eth_call', (error) =>
      typeof error.data === 'string' ? { ...error, data: cut(error.data, 1_000) } : error,
    ),
  ),
  selectors(
    'RPC-CALL-18',
    'finalized-calls-latest',
    'Calls the newest block for the finalized one',
    atTag('eth_call', 1, 'finalized', 'latest'),
  ),
  storage(
    'RPC-STOR-05',
    'value-of-128-bits',
    'Gives the lower half of a value',
    rewriteResult('eth_getStorageAt', (result) => lowest(String(result), 128n)),
  ),
  storage(
    'RPC-STOR-03',
    'slot-in-capitals',
    'Finds nothing in a slot that is named in capitals',
    answerInstead('eth_getStorageAt', ([, slot]) =>
      hasCapitals(slot) ? { result: `0x${'00'.repeat(32)}` } : undefined,
    ),
  ),
  simulate(
    'RPC-SIM-36',
    'return-cut-1000',
    'A simulated call returns 1,000 bytes, and no more',
    eachCall((result) => ({ ...result, returnData: cut(result.returnData, 1_000) })),
  ),
  simulate(
    'RPC-SIM-08',
    'two-transfers',
    'Tells two transfers of a call, and no more',
    transfersCut,
  ),
  simulate(
    'RPC-SIM-02',
    'always-the-tip',
    'Simulates on the newest block, whatever the height',
    rewriteParams('eth_simulateV1', (params) =>
      params.map((each) => (/^0x/.test(String(each)) ? 'latest' : each)),
    ),
  ),
  simulate(
    'RPC-SIM-04',
    'eight-entries',
    'Simulates eight entries, and no more',
    rewriteParams('eth_simulateV1', ([payload, ...rest]) => {
      const { blockStateCalls } = (payload ?? {}) as JsonObject
      if (!Array.isArray(blockStateCalls)) return [payload, ...rest]
      return [{ ...(payload as JsonObject), blockStateCalls: blockStateCalls.slice(0, 8) }, ...rest]
    }),
  ),
  simulate(
    'RPC-SIM-37',
    'other-transaction',
    'Simulated logs name a transaction that is not in their block',
    eachCall((result) => ({
      ...result,
      logs: (result.logs as JsonObject[]).map((log) => ({
        ...log,
        transactionHash: lastDigit(log.transactionHash),
      })),
    })),
  ),
  simulate(
    'RPC-BLK-13',
    'other-receipts-root',
    'The receipts root of a simulated block is off, and its hash is of that',
    lastSimulated((each) => ({ ...each, receiptsRoot: lastDigit(each.receiptsRoot) })),
  ),
  simulate(
    'RPC-BLK-09',
    'other-uncles',
    'The hash of the uncles of a simulated block is off, and its hash is of that',
    lastSimulated((each) => ({ ...each, sha3Uncles: lastDigit(each.sha3Uncles) })),
  ),
  simulate(
    'RPC-BLK-31',
    'other-requests-hash',
    'The hash of the requests of a simulated block is off, and its hash is of that',
    lastSimulated((each) => ({ ...each, requestsHash: lastDigit(each.requestsHash) })),
  ),
  simulate(
    'RPC-SIM-27',
    'later-gas-limit',
    'The gas limit of the last of several simulated blocks is off, and its hash is of that',
    lastSimulated((each, isLater) =>
      isLater ? { ...each, gasLimit: plusOne(each.gasLimit) } : each,
    ),
  ),
  simulate(
    'RPC-SIM-29',
    'later-base-fee',
    'The base fee of the last of several simulated blocks is off, and its hash is of that',
    lastSimulated((each, isLater) =>
      isLater ? { ...each, baseFeePerGas: plusOne(each.baseFeePerGas) } : each,
    ),
  ),
  simulate(
    'RPC-SIM-15',
    'diff-is-whole',
    'Takes storage that is given in part for all there is',
    storageNamed('stateDiff', 'state'),
  ),
  simulate(
    'RPC-SIM-15',
    'whole-is-diff',
    'Keeps what storage held beside what is given as a whole',
    storageNamed('state', 'stateDiff'),
  ),
  selectors(
    'RPC-SEL-05',
    'finalized-simulates-latest',
    'Simulates on the newest block for the finalized one',
    atTag('eth_simulateV1', 1, 'finalized', 'latest'),
  ),
  selectors(
    'RPC-FLT-05',
    'logs-to-safe-to-latest',
    'Searches to the newest block for the safe one',
    rewriteParams('eth_getLogs', (params) => {
      const filter = (params[0] ?? {}) as JsonObject
      return filter.toBlock === 'safe' ? [{ ...filter, toBlock: 'latest' }] : params
    }),
  ),
  pending(
    'RPC-PEND-04',
    'other-receipts-root',
    'The receipts root of the pending block is off at every look',
    rewriteBlock((each) => ({ ...each, receiptsRoot: lastDigit(each.receiptsRoot) }), 'pending'),
  ),
  pending(
    'RPC-PEND-04',
    'other-state-root',
    'The state root of the pending block is off at every look',
    rewriteBlock((each) => ({ ...each, stateRoot: lastDigit(each.stateRoot) }), 'pending'),
  ),
  pending(
    'RPC-PEND-04',
    'other-withdrawals-root',
    'The withdrawals root of the pending block is off at every look',
    rewriteBlock(
      (each) => ({ ...each, withdrawalsRoot: lastDigit(each.withdrawalsRoot) }),
      'pending',
    ),
  ),
  block(
    'RPC-BLK-23',
    'access-list-lost',
    'Transactions have an empty access list',
    rewriteBlock((each) => ({
      ...each,
      transactions: (each.transactions as unknown[]).map((one) =>
        typeof one === 'object' && one !== null && 'accessList' in one
          ? { ...one, accessList: [] }
          : one,
      ),
    })),
  ),
  envelope('RPC-ENV-08', 'rarely-no-version', 'Leaves jsonrpc out now and then', () => {
    let met = 0
    return {
      response({ jsonrpc, ...rest }) {
        return ++met % SOMETIMES === 0 ? rest : { jsonrpc, ...rest }
      },
    }
  }),
  mutantsOf('journal', 'prover')(
    'SIG-07',
    'high-s',
    'The aggregate signature has its s in the upper half',
    rewriteResult('prover_prove', (result) => withHighS(result as JsonObject)),
  ),
  mutantsOf('stream', 'ws')(
    'RPC-WS-02',
    'sealed-instead',
    'Streams the logs of sealed blocks',
    () => ({
      call: (request) =>
        request.method === 'eth_subscribe' && request.params[0] === 'pendingLogs'
          ? { ...request, params: ['logs', request.params[1] ?? {}] }
          : request,
    }),
  ),
]

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature by the same key of the same digest. */
function withHighS(result: JsonObject): JsonObject {
  const tee = result.Tee as JsonObject
  const aggregate = tee.aggregate_proposal as JsonObject
  const signature = String(aggregate.signature)
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = signature.endsWith('00') ? '01' : '00'
  const turned = { ...aggregate, signature: `${signature.slice(0, 66)}${s}${v}` }
  return { ...result, Tee: { ...tee, aggregate_proposal: turned } }
}
