import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { isFinalized, isSafe } from '../parts/block-selectors.ts'
import { isObject } from '../parts/is-object.ts'
import { rewriteBlock, rewriteParams, rewriteResult, without } from '../rewrites.ts'

const block = mutantsOf('block', 'rpc')

const lowerHalf = (value: unknown) => `0x${BigInt.asUintN(64, BigInt(String(value))).toString(16)}`

/** Values of transactions in 64 bits. */
const smallValues = (only: 'sealed' | 'pending') =>
  rewriteBlock(
    (found) => ({
      ...found,
      transactions: (found.transactions as (JsonObject | string)[]).map((each) =>
        typeof each === 'string' ? each : { ...each, value: lowerHalf(each.value) },
      ),
    }),
    only,
  )

/** Gives the list of transactions at a tag in the other form. */
const otherForm = (isMeant: (selector: unknown) => boolean) =>
  rewriteParams('eth_getBlockByNumber', ([selector, isWhole]) =>
    isMeant(selector) ? [selector, !isWhole] : [selector, isWhole],
  )

/** Changes each transaction of a block that comes whole. */
const rewriteTransactions = (change: (transaction: JsonObject) => JsonObject) =>
  rewriteBlock((each) => {
    const transactions = each.transactions as (JsonObject | string)[]
    const changed = transactions.map((one) => (typeof one === 'string' ? one : change(one)))
    return { ...each, transactions: changed }
  })

const OLD = 30n

/** Of blocks that are far behind the head the list of hashes lacks its last one. */
const oldListCut: Mutant['apply'] = rewriteResult(
  'eth_getBlockByNumber',
  async (result, { params }, { ask }) => {
    const block = result as JsonObject | null
    if (!block || params[1] === true || params[0] === 'pending') return result
    const head = BigInt(String(await ask('eth_blockNumber')))
    if (head - BigInt(String(block.number)) < OLD) return result
    return { ...block, transactions: (block.transactions as unknown[]).slice(0, -1) }
  },
)

/** Mutants of the transactions that a block lists. */
export const BLOCK_TRANSACTION_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-BLK-23',
    'value-of-64-bits',
    'Tells the value of a transaction in 64 bits',
    smallValues('sealed'),
  ),
  block(
    'RPC-PEND-08',
    'pending-value-of-64-bits',
    'Tells the value of a pre-confirmed transaction in 64 bits',
    smallValues('pending'),
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
  block(
    'RPC-BLK-23',
    'authorizations-left-out',
    'Leaves the authorizations of a transaction out (EIP-7702)',
    rewriteTransactions((each) => without(each, 'authorizationList')),
  ),
  block(
    'RPC-BLK-23',
    'legacy-parity-as-v',
    'Gives the v of a legacy transaction as a parity',
    rewriteTransactions((each) =>
      each.type === '0x0' ? { ...each, v: `0x${(Number(each.v) + 1) % 2}` } : each,
    ),
  ),
  block(
    'RPC-BLK-22',
    'old-list-cut',
    'Lists of hashes lack their last one in old blocks',
    oldListCut,
  ),
]
