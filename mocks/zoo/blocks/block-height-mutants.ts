import { type Mutant, mutantsOf, seenIn } from '../mutant.ts'
import { isHeight } from '../parts/block-selectors.ts'
import { answered, eachSeventh, fails, RARE } from '../parts/each-seventh.ts'
import { hasCapitalDigits } from '../parts/has-capital-digits.ts'
import { headOf } from '../parts/head-of.ts'
import { lagging } from '../parts/lagging.ts'
import { answerInstead, rewriteResult } from '../rewrites.ts'

const block = mutantsOf('block', 'rpc')

/** The height after the newest one is the block that is being built. */
const nextIsPending = rewriteResult('eth_getBlockByNumber', async (result, { params }, context) =>
  result === null &&
  isHeight(params[0]) &&
  BigInt(String(params[0])) === (await headOf(context)) + 1n
    ? context.ask('eth_getBlockByNumber', ['pending', params[1]])
    : result,
)

/** Mutants that find no block, or one that is not there, at some heights. */
export const BLOCK_HEIGHT_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-PEND-12',
    'number-lags',
    'The newest block is not there under its height at first',
    lagging('eth_getBlockByNumber', null),
  ),
  seenIn(
    ['ethereum/go-ethereum#25300'],
    block(
      'RPC-BLK-04',
      'next-is-pending',
      'The height after the newest one is the pending block',
      nextIsPending,
    ),
  ),
  block(
    'RPC-SEL-01',
    'capitals-are-null',
    'Finds no block whose height is in capitals',
    answerInstead('eth_getBlockByNumber', ([height]) =>
      hasCapitalDigits(height) ? { result: null } : undefined,
    ),
  ),
  block('RPC-BLK-04', 'seventh-absent', 'Each seventh absent block is the newest', ({ ask }) => {
    let met = 0
    return {
      async response(response, { method, params }) {
        if (method !== 'eth_getBlockByNumber' || response.result !== null) return response
        met += 1
        if (met % RARE !== 0) return response
        return { ...response, result: await ask(method, ['latest', params[1]]) }
      },
    }
  }),
  block(
    'RPC-BLK-01',
    'seventh-refusal',
    'Answers each seventh question that it must refuse',
    eachSeventh(fails('eth_getBlockByNumber'), answered(null)),
  ),
  block(
    'RPC-BLK-04',
    'minus-one-is-pending',
    'Takes the largest height of 64 bits for -1, and that for pending',
    rewriteResult('eth_getBlockByNumber', (result, { params }, { ask }) =>
      String(params[0]).toLowerCase() === `0x${'f'.repeat(16)}`
        ? ask('eth_getBlockByNumber', ['pending', params[1]])
        : result,
    ),
  ),
]
