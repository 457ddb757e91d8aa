import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import {
  isFinalized,
  isHeight,
  isPending,
  isSafe,
  PENDING_OR_HEIGHT,
} from '../parts/block-selectors.ts'
import { isObject } from '../parts/is-object.ts'
import { answerInstead, rewriteFirst, rewriteParams, without } from '../rewrites.ts'

const call = mutantsOf('call', 'rpc')

/** Calls of less gas, in gas, are taken for calls without a limit. */
const SMALL_GAS = 30_000

/** Leaves members of a call out where it names such a block. */
const callWithout = (isMeant: (selector: unknown) => boolean, ...names: string[]) =>
  rewriteParams('eth_call', ([asked, ...rest]) =>
    isObject(asked) && isMeant(rest[0]) ? [without(asked, ...names), ...rest] : [asked, ...rest],
  )

/** Precompiles at these addresses are accounts without code. */
const withoutPrecompiles = (which: RegExp) =>
  answerInstead('eth_call', ([asked]) =>
    isObject(asked) && which.test(String(asked.to)) ? { result: '0x' } : undefined,
  )

const VALUE_LOST = [
  ['at-height', 'upon a height', isHeight],
  ['at-safe', 'upon the safe block', isSafe],
  ['at-finalized', 'upon the finalized block', isFinalized],
] as const

const PRECOMPILE = /^0x0{38}[01][0-9a-f]$/i

/** Mutants that leave out or misread a part of a call, or the precompile that it is for. */
export const CALL_REQUEST_MUTANTS: readonly Mutant[] = [
  call(
    'RPC-CALL-09',
    'small-gas-ignored',
    'Takes a small gas limit for none',
    rewriteFirst('eth_call', (given) =>
      Number(given.gas) < SMALL_GAS ? without(given, 'gas') : given,
    ),
  ),
  call(
    'RPC-CALL-12',
    'zero-tip-is-none',
    'Takes a tip of zero for none, and pays the whole cap',
    rewriteFirst('eth_call', (given) =>
      given.maxFeePerGas && Number(given.maxPriorityFeePerGas) === 0
        ? { ...given, maxPriorityFeePerGas: given.maxFeePerGas }
        : given,
    ),
  ),
  call(
    'RPC-CALL-14',
    'data-in-capitals',
    'Takes data in capitals for none',
    rewriteFirst('eth_call', (given) =>
      /^0x.*[A-F]/.test(String(given.data)) ? without(given, 'data') : given,
    ),
  ),
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
  call(
    'RPC-CALL-15',
    'tip-demanded',
    'Demands a tip beside a cap',
    answerInstead('eth_call', ([asked]) => {
      const { maxFeePerGas, maxPriorityFeePerGas } = Object(asked) as JsonObject
      if (maxFeePerGas === undefined || maxPriorityFeePerGas !== undefined) return undefined
      return { error: { code: -32602, message: 'missing maxPriorityFeePerGas' } }
    }),
  ),
  call('RPC-CALL-07', 'nobody-signed', 'ECRECOVER finds nobody', withoutPrecompiles(/^0x0{39}1$/)),
  call(
    'RPC-CALL-07',
    'few-precompiles',
    'Has the precompiles up to 4, and no other',
    withoutPrecompiles(/^0x0{39}[5-9]$/),
  ),
  call(
    'RPC-CALL-07',
    'no-precompiles',
    'Takes precompiles for accounts without code',
    answerInstead('eth_call', ([first]) =>
      PRECOMPILE.test(String((Object(first) as JsonObject).to)) ? { result: '0x' } : undefined,
    ),
  ),
  call(
    'RPC-CALL-07',
    'later-precompiles-empty',
    'Takes precompiles of later forks for accounts without code',
    withoutPrecompiles(/^0x0{37}(?:00b|00c|100)$/i),
  ),
  call(
    'RPC-CALL-12',
    'cap-as-tip',
    'Pays the whole cap where no tip is offered',
    rewriteFirst('eth_call', (asked) =>
      asked.maxFeePerGas && !asked.maxPriorityFeePerGas
        ? { ...asked, maxPriorityFeePerGas: asked.maxFeePerGas }
        : asked,
    ),
  ),
]
