import { type Mutant, mutantsOf } from '../mutant.ts'
import { answered, eachSeventh, fails, inResult, succeeds } from '../parts/each-seventh.ts'
import { hasCapitals } from '../parts/has-capitals.ts'
import { lastDigit } from '../parts/last-digit.ts'
import { answerInstead, rewriteResult } from '../rewrites.ts'

const storage = mutantsOf('storage', 'rpc')

const lowest = (value: string, bits: bigint) =>
  `0x${BigInt.asUintN(Number(bits), BigInt(value)).toString(16).padStart(64, '0')}`

/** Mutants of a slot that is named otherwise, and of some values of slots. */
export const SLOT_MUTANTS: readonly Mutant[] = [
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
  storage(
    'RPC-STOR-05',
    'seventh-result',
    'The last digit of each seventh result is off',
    eachSeventh(succeeds('eth_getStorageAt'), inResult([], lastDigit)),
  ),
  storage(
    'RPC-STOR-01',
    'seventh-refusal',
    'Answers each seventh question that it must refuse',
    eachSeventh(fails('eth_getStorageAt'), answered(`0x${'00'.repeat(32)}`)),
  ),
]
