import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { isLowerCaseHeight } from '../parts/block-selectors.ts'
import { cutBytes } from '../parts/cut-bytes.ts'
import {
  answered,
  eachSeventh,
  type Fits,
  fails,
  inResult,
  succeeds,
} from '../parts/each-seventh.ts'
import { lastDigit } from '../parts/last-digit.ts'
import { listIn } from '../parts/list-in.ts'
import { rewriteError, rewriteResult, without } from '../rewrites.ts'

const call = mutantsOf('call', 'rpc')

/** Bytes of a reason with one word: what is longer is not given whole. */
const REASON = 100

const callReasonCut: Mutant['apply'] = () => ({
  async response(response, { method }) {
    const error = response.error as JsonObject | undefined
    if (method !== 'eth_call' || typeof error?.data !== 'string') return response
    return { ...response, error: { ...error, data: cutBytes(error.data, REASON) } }
  },
})

const reverts: Fits = (response, asked) =>
  fails('eth_call')(response, asked) && typeof (response.error as JsonObject).data === 'string'

const inError =
  (members: JsonObject) =>
  (response: JsonObject): JsonObject => ({
    ...response,
    error: { ...(response.error as JsonObject), ...members },
  })

/** Milliseconds for which the state of a call is kept. */
const KEPT = 1_000

/** A call at pending that runs on the state that the last one to the same contract has left. */
const oneOnAnother: Mutant['apply'] = ({ ask, clock }) => {
  const before = new Map<unknown, { asked: unknown; at: number }>()
  return {
    async response(response, { method, params: [asked, at, ...rest] }) {
      const isMeant = method === 'eth_call' && at === 'pending' && rest.length === 0
      if (!isMeant || !('result' in response)) return response
      const { to } = Object(asked)
      const last = before.get(to)
      before.set(to, { asked, at: clock.now() })
      if (!last || clock.now() - last.at > KEPT) return response
      const calls = [last.asked, asked]
      const [block] = listIn(await ask('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, at]))
      const again = listIn(block?.calls)[1]
      return again?.status === '0x1' ? { ...response, result: again.returnData } : response
    },
  }
}

/** Mutants of what a call returns, and of what is said of one that reverts. */
export const CALL_ANSWER_MUTANTS: readonly Mutant[] = [
  call(
    'ERR-03',
    'revert-bare-at-number',
    'Leaves the revert bytes out where the block is named by its number',
    rewriteError('eth_call', (error, { params }) =>
      isLowerCaseHeight(params[1]) ? without(error, 'data') : error,
    ),
  ),
  call(
    'ERR-03',
    'long-reason-cut',
    'Gives 100 bytes of what a call reverts with, and no more',
    callReasonCut,
  ),
  call(
    'RPC-CALL-03',
    'return-cut-1000',
    'Returns 1,000 bytes, and no more',
    rewriteResult('eth_call', (result) => cutBytes(result, 1_000)),
  ),
  call(
    'ERR-03',
    'revert-cut-1000',
    'Gives 1,000 bytes of what a call reverts with, and no more',
    rewriteError('eth_call', (error) =>
      typeof error.data === 'string' ? { ...error, data: cutBytes(error.data, 1_000) } : error,
    ),
  ),
  call(
    'RPC-CALL-03',
    'seventh-result',
    'The last digit of each seventh result is off',
    eachSeventh(succeeds('eth_call'), inResult([], lastDigit)),
  ),
  call(
    'ERR-03',
    'seventh-revert-bare',
    'Each seventh revert lacks its bytes',
    eachSeventh(reverts, inError({ data: '0x' })),
  ),
  call(
    'ERR-01',
    'seventh-revert-code',
    'Each seventh revert has another code',
    eachSeventh(reverts, inError({ code: 3 })),
  ),
  call(
    'ERR-02',
    'seventh-revert-words',
    'Each seventh revert is told in other words',
    eachSeventh(reverts, inError({ message: 'VM error' })),
  ),
  call(
    'RPC-CALL-01',
    'seventh-refusal',
    'Answers each seventh question that it must refuse',
    eachSeventh(fails('eth_call'), answered('0x')),
  ),
  call(
    'RPC-CALL-16',
    'one-call-on-another',
    'A call at pending runs on what the last one to the contract has written',
    oneOnAnother,
  ),
]
