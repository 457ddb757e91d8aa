import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { plusOne } from './plus-one.ts'
import { rewriteResult } from './rewrites.ts'

/** Longer than any block: what is held back so long arrives after sealing. */
const PAST_SEALING = 3_500
/** Milliseconds: three refreshes, and before most blocks end. */
const BEHIND = 600
/** Rarely enough that nobody meets it who looks at three logs. */
const RARE = 20

const stream = mutantsOf('stream', 'ws')
const prover = mutantsOf('prover', 'prover')

const logOf = (message: JsonObject) =>
  message.method === 'eth_subscription'
    ? (message.params as { result?: JsonObject }).result
    : undefined

const withLog = (message: JsonObject, log: JsonObject): JsonObject => ({
  ...message,
  params: { ...(message.params as JsonObject), result: log },
})

/** Does something to each twentieth log that goes out. */
const eachTwentieth =
  (
    change: (
      message: JsonObject,
      log: JsonObject,
      before: JsonObject | undefined,
    ) => { message: JsonObject; delay: number } | null,
  ): Mutant['apply'] =>
  () => {
    let met = 0
    let before: JsonObject | undefined
    return {
      message(message) {
        const log = logOf(message)
        if (!log) return { message, delay: 0 }
        met += 1
        const changed = met % RARE === 0 ? change(message, log, before) : { message, delay: 0 }
        before = log
        return changed
      },
    }
  }

/** Mutants of what is pushed, and of what a host says of itself, that err now and then. */
export const RARE_STREAM_MUTANTS: readonly Mutant[] = [
  stream(
    'RPC-WS-02',
    'rarely-lost',
    'Loses one log of twenty',
    eachTwentieth(() => null),
  ),
  stream(
    'RPC-WS-02',
    'rarely-late',
    'Sends one log of twenty after its block is sealed',
    eachTwentieth((message) => ({ message, delay: PAST_SEALING })),
  ),
  stream(
    'RPC-WS-02',
    'always-behind',
    'Sends each log 600 ms after the pending block shows it',
    () => ({
      message: (message) => ({ message, delay: logOf(message) ? BEHIND : 0 }),
    }),
  ),
  stream(
    'RPC-WS-02',
    'rarely-twice',
    'Sends the log before again in place of one of twenty',
    eachTwentieth((message, log, before) => ({
      message: withLog(message, before ?? log),
      delay: 0,
    })),
  ),
  stream(
    'RPC-WS-02',
    'rarely-foreign',
    'Sends a log of no transaction for one of twenty',
    eachTwentieth((message, log) => ({
      message: withLog(message, { ...log, transactionHash: `0x${'5a'.repeat(32)}` }),
      delay: 0,
    })),
  ),
  stream(
    'RPC-LOG-06',
    'rarely-next-block',
    'One log of twenty names the block after its own',
    eachTwentieth((message, log) => ({
      message: withLog(message, { ...log, blockNumber: plusOne(log.blockNumber) }),
      delay: 0,
    })),
  ),
  prover('HOST-RPC-02', 'keys-come-and-go', 'Another key now and then', (context) => {
    let met = 0
    return rewriteResult('enclave_signerPublicKey', (result) => {
      met += 1
      const [first, ...rest] = result as number[][]
      return met % 5 === 0 ? [first!.with(-1, first!.at(-1)! ^ 1), ...rest] : result
    })(context)
  }),
  prover(
    'HOST-HEALTH-03',
    'health-turns-false',
    'Says false where it is asked for the fifth time',
    () => {
      let met = 0
      return {
        response(response, { method }) {
          if (method !== 'healthz' || !('result' in response)) return response
          met += 1
          return met % 5 === 0 ? { ...response, result: false } : response
        },
      }
    },
  ),
  prover('HOST-HEALTH-03', 'health-comes-and-goes', 'Not healthy now and then', () => {
    let met = 0
    return {
      response(response, call) {
        if (call.method !== 'healthz') return response
        met += 1
        if (met % 5 !== 0) return response
        const { result: _, ...rest } = response
        return { ...rest, error: { code: -32000, message: 'not healthy' } }
      },
    }
  }),
]
