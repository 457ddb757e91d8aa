import { headerHash } from '#suites/gate/conformance/spec/header'
import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { asList } from '../parts/as-list.ts'
import { cutBytes } from '../parts/cut-bytes.ts'
import { answered, eachSeventh, fails, inResult, succeeds } from '../parts/each-seventh.ts'
import { lastDigit } from '../parts/last-digit.ts'
import { listIn } from '../parts/list-in.ts'
import { plusOne } from '../plus-one.ts'
import { rewriteResult } from '../rewrites.ts'

const simulate = mutantsOf('simulate', 'rpc')

const inCallsOf =
  (change: (call: JsonObject, block: number) => JsonObject) =>
  (result: unknown): unknown =>
    (result as JsonObject[]).map((block, index) => ({
      ...block,
      calls: (block.calls as JsonObject[]).map((call) => change(call, index)),
    }))

/** Bytes of a reason with one word: what is longer is not given whole. */
const REASON = 100

const reasonCut: Mutant['apply'] = rewriteResult(
  'eth_simulateV1',
  inCallsOf((call) =>
    call.status === '0x0' ? { ...call, returnData: cutBytes(call.returnData, REASON) } : call,
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

const MANY = 10

/** Of more than ten calls in a block the last result is left out. */
const lastCallCut: Mutant['apply'] = rewriteResult('eth_simulateV1', (result) =>
  (result as JsonObject[]).map((block) => {
    const calls = block.calls as unknown[]
    return calls.length > MANY ? { ...block, calls: calls.slice(0, -1) } : block
  }),
)

/** Slots that a simulation has set, each read once as it was set there. */
const leakingSlots = (): MutantHooks => {
  const leaked = new Map<string, unknown>()
  const keyOf = (address: unknown, slot: unknown) =>
    `${String(address).toLowerCase()} ${BigInt(String(slot))}`
  return {
    response(response, { method, params: [first, slot] }) {
      if (!('result' in response)) return response
      if (method === 'eth_simulateV1')
        for (const { stateOverrides } of asList(Object(first).blockStateCalls))
          for (const [address, over] of Object.entries(Object(stateOverrides)))
            for (const [name, value] of Object.entries(Object(Object(over).stateDiff)))
              leaked.set(keyOf(address, name), value)
      if (method !== 'eth_getStorageAt') return response
      const key = keyOf(first, slot)
      const result = leaked.get(key) ?? response.result
      leaked.delete(key)
      return { ...response, result }
    },
  }
}

/** The nonce of a call is looked at where it is below that of its sender, validation or not. */
const spentNonceRefused: Mutant['apply'] = ({ ask }) => ({
  async response(response, { method, params: [asked, at] }) {
    const { blockStateCalls, validation } = Object(asked) as JsonObject
    if (method !== 'eth_simulateV1' || validation === true) return response
    for (const entry of listIn(blockStateCalls))
      for (const { from, nonce } of listIn(Object(entry).calls)) {
        if (!from || nonce === undefined) continue
        const spent = await ask('eth_getTransactionCount', [from, at])
        if (BigInt(String(nonce)) >= BigInt(String(spent ?? '0x0'))) continue
        const error = { code: -38010, message: 'nonce too low' }
        return { jsonrpc: '2.0', id: response.id, error }
      }
    return response
  },
})

/** Mutants of what a simulation answers, and of what is left of it. */
export const SIMULATE_ANSWER_MUTANTS: readonly Mutant[] = [
  simulate(
    'RPC-SIM-09',
    'spent-nonce-refused',
    'Refuses a nonce that is spent, without validation, too',
    spentNonceRefused,
  ),
  simulate(
    'RPC-SIM-36',
    'long-reason-cut',
    'Gives 100 bytes of what a simulated call reverts with, and no more',
    reasonCut,
  ),
  simulate(
    'RPC-SIM-37',
    'later-logs-turned',
    'Turns the logs of calls in later blocks round',
    laterLogsTurned,
  ),
  simulate(
    'RPC-SIM-35',
    'failed-gas-moved',
    'Counts one gas of a failed call with the call after it',
    gasMoved,
  ),
  simulate(
    'RPC-SIM-36',
    'return-cut-1000',
    'A simulated call returns 1,000 bytes, and no more',
    eachCall((result) => ({ ...result, returnData: cutBytes(result.returnData, 1_000) })),
  ),
  simulate(
    'RPC-SIM-08',
    'two-transfers',
    'Tells two transfers of a call, and no more',
    transfersCut,
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
    'RPC-SIM-32',
    'last-call-cut',
    'Leaves out the last of more than ten calls',
    lastCallCut,
  ),
  simulate(
    'RPC-SIM-04',
    'forty-blocks',
    'Answers forty blocks at most',
    rewriteResult('eth_simulateV1', (blocks) => (blocks as unknown[]).slice(0, 40)),
  ),
  simulate(
    'RPC-SIM-36',
    'seventh-return-data',
    'What each seventh simulation returns is off',
    eachSeventh(
      succeeds('eth_simulateV1'),
      inResult(['*', 'calls', '*', 'returnData'], (data) =>
        data === '0x' ? '0x' : lastDigit(data),
      ),
    ),
  ),
  simulate(
    'RPC-SIM-01',
    'seventh-refusal',
    'Answers each seventh question that it must refuse',
    eachSeventh(fails('eth_simulateV1'), answered([])),
  ),
  simulate(
    'RPC-SIM-31',
    'slot-leaks',
    'A slot that a simulation has set is read so once after it',
    leakingSlots,
  ),
  simulate(
    'RPC-SIM-22',
    'no-later-lists-at-finalized',
    'Tells no transactions of the second block upon finalized',
    rewriteResult('eth_simulateV1', (result, { params: [, selector] }) =>
      (result as JsonObject[]).map((block, index) =>
        index === 1 && selector === 'finalized' ? { ...block, transactions: null } : block,
      ),
    ),
  ),
]
