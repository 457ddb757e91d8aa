import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { listIn } from '../parts/list-in.ts'
import { rewriteParams, rewriteResult } from '../rewrites.ts'

const selectors = mutantsOf('selectors', 'rpc')
const call = mutantsOf('call', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')
const storage = mutantsOf('storage', 'rpc')

/** Reads one tag as another; `at` is its place in the params. */
const atTag = (method: string, at: number, tag: string, instead: string) =>
  rewriteParams(method, (params) =>
    params.map((each, index) => (index === at && each === tag ? instead : each)),
  )

/** One answer in so many is wrong. */
const RARE = 5

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

/** By the height of the newest block, what the one before it had; `place` is that of the height. */
const newestIsTheOneBefore =
  (
    method: string,
    place: number,
    join: (result: unknown, before: unknown) => unknown = (_, before) => before,
  ): Mutant['apply'] =>
  ({ ask }) => ({
    async response(response, { method: asked, params }) {
      const height = String(params[place])
      if (asked !== method || !/^0x/.test(height) || !('result' in response)) return response
      const newest = await ask('eth_blockNumber')
      if (newest === null || BigInt(height) !== BigInt(String(newest))) return response
      const before = `0x${(BigInt(height) - 1n).toString(16)}`
      const result = await ask(
        method,
        params.map((each, at) => (at === place ? before : each)),
      )
      return result === null ? response : { ...response, result: join(response.result, result) }
    },
  })

/** Blocks as they are, with the calls of others. */
const withCallsOf = (result: unknown, others: unknown) =>
  listIn(result).map((block, at) => ({ ...block, calls: listIn(others)[at]?.calls ?? block.calls }))

const numberOf = (text: unknown) =>
  /^0x[0-9a-f]+$/i.test(String(text)) ? BigInt(String(text)) : undefined

/** Past the head, the newest block. */
const clippedToHead: Mutant['apply'] = (context) =>
  rewriteResult('eth_getBlockByNumber', (result, { params }, { ask }) =>
    result === null && numberOf(params[0]) !== undefined
      ? ask('eth_getBlockByNumber', ['latest', params[1]])
      : result,
  )(context)

/** Mutants that read a tag or a height as that of another block. */
export const TAG_MUTANTS: readonly Mutant[] = [
  selectors(
    'RPC-CALL-18',
    'finalized-calls-latest',
    'Calls the newest block for the finalized one',
    atTag('eth_call', 1, 'finalized', 'latest'),
  ),
  selectors(
    'RPC-SEL-05',
    'finalized-simulates-latest',
    'Simulates on the newest block for the finalized one',
    atTag('eth_simulateV1', 1, 'finalized', 'latest'),
  ),
  call(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Calls the newest block for the first one',
    atTag('eth_call', 1, 'earliest', 'latest'),
  ),
  storage(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Reads the newest value for the first one',
    atTag('eth_getStorageAt', 2, 'earliest', 'latest'),
  ),
  simulate(
    'RPC-SEL-06',
    'earliest-is-latest',
    'Simulates on the newest block for the first one',
    atTag('eth_simulateV1', 1, 'earliest', 'latest'),
  ),
  storage(
    'RPC-STOR-07',
    'safe-is-latest',
    'Reads the newest value for the safe one',
    atTag('eth_getStorageAt', 2, 'safe', 'latest'),
  ),
  call(
    'RPC-CALL-18',
    'safe-is-latest',
    'Calls the newest block for the safe one',
    atTag('eth_call', 1, 'safe', 'latest'),
  ),
  selectors('RPC-SEL-10', 'latest-back', 'latest goes back now and then', staleTag('latest')),
  call(
    'RPC-CALL-18',
    'newest-height-before',
    'A call at the height of the newest block runs on the one before',
    newestIsTheOneBefore('eth_call', 1),
  ),
  storage(
    'RPC-STOR-07',
    'newest-height-before',
    'A slot at the height of the newest block is that of the one before',
    newestIsTheOneBefore('eth_getStorageAt', 2),
  ),
  simulate(
    'RPC-SIM-02',
    'newest-height-before',
    'Simulated calls at the height of the newest block run on the one before',
    newestIsTheOneBefore('eth_simulateV1', 1, withCallsOf),
  ),
  selectors(
    'RPC-SEL-01',
    'past-the-head',
    'Gives the newest block for each number past it',
    clippedToHead,
  ),
  simulate(
    'RPC-SIM-25',
    'earlier-parent',
    'A simulation upon a height stands on the block before it',
    rewriteParams('eth_simulateV1', ([payload, selector, ...rest]) => [
      payload,
      /^0x[1-9a-f]/.test(String(selector))
        ? `0x${(BigInt(String(selector)) - 1n).toString(16)}`
        : selector,
      ...rest,
    ]),
  ),
]
