import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteBlock, rewriteParams, rewriteResult, without } from '../rewrites.ts'

const mutant = mutantsOf('pending', 'rpc')

const onPending = (change: (block: JsonObject) => JsonObject) => rewriteBlock(change, 'pending')
const listOf = (block: JsonObject) => block.transactions as unknown[]

/** Mutants of the block under construction. */
export const PENDING_MUTANTS: readonly Mutant[] = [
  mutant(
    'RPC-PEND-01',
    'nulls-dropped',
    'Drops number and hash',
    onPending((block) => without(block, 'number', 'hash')),
  ),
  mutant(
    'RPC-PEND-02',
    'number-set',
    'Reports the coming height',
    onPending((block) => ({ ...block, number: '0x5' })),
  ),
  mutant(
    'RPC-PEND-03',
    'hash-set',
    'Reports a hash',
    onPending((block) => ({ ...block, hash: block.stateRoot })),
  ),
  mutant(
    'RPC-PEND-04',
    'state-root-null',
    'stateRoot is null too',
    onPending((block) => ({ ...block, stateRoot: null })),
  ),
  mutant(
    'RPC-PEND-05',
    'gas-of-newest-batch',
    'gasUsed is not cumulative',
    onPending((block) => ({ ...block, gasUsed: '0x5208' })),
  ),
  mutant(
    'RPC-PEND-06',
    'newest-transactions-only',
    'Lists only the newest transactions',
    onPending((block) => ({ ...block, transactions: listOf(block).slice(-1) })),
  ),
  mutant('RPC-PEND-07', 'lists-pool', 'Lists the pool in pending', () => {
    const pooled = new Set<unknown>()
    return {
      response(response, { method, params }) {
        const result = response.result as JsonObject | null | undefined
        if (method === 'eth_getTransactionByHash' && result?.blockNumber === null) {
          pooled.add(params[0])
        }
        if (method !== 'eth_getBlockByNumber' || params[0] !== 'pending' || !result) return response
        return { ...response, result: { ...result, transactions: [...listOf(result), ...pooled] } }
      },
    }
  }),
  mutant(
    'RPC-PEND-08',
    'always-hashes',
    'Hashes whatever the flag',
    rewriteParams('eth_getBlockByNumber', ([selector, flag]) => [
      selector,
      selector === 'pending' ? false : flag,
    ]),
  ),
  mutant(
    'RPC-PEND-09',
    'blob-gas-zero',
    'blobGasUsed is always zero',
    onPending((block) => ({ ...block, blobGasUsed: '0x0' })),
  ),
  mutant(
    'RPC-PEND-10',
    'only-at-sealing',
    'Updates only when a block is sealed',
    onPending((block) => ({ ...block, transactions: listOf(block).slice(0, 1) })),
  ),
  mutant(
    'RPC-PEND-11',
    'latest-shows-pending',
    'latest holds what is not sealed',
    rewriteParams('eth_getBlockByNumber', ([selector, flag]) => [
      selector === 'latest' ? 'pending' : selector,
      flag,
    ]),
  ),
  mutant(
    'RPC-PEND-12',
    'nulls-after-sealing',
    'Serves sealed heights with the nulls of pending',
    rewriteBlock((block, { params }) =>
      String(params[0]).startsWith('0x') ? { ...block, number: null, hash: null } : block,
    ),
  ),
  mutant(
    'RPC-PEND-13',
    'parent-zero',
    'parentHash is zero',
    onPending((block) => ({ ...block, parentHash: `0x${'00'.repeat(32)}` })),
  ),
  mutant(
    'RPC-PEND-06',
    'fifty-listed',
    'Lists fifty transactions, and no more',
    onPending((block) => ({ ...block, transactions: listOf(block).slice(0, 50) })),
  ),
  mutant(
    'RPC-GETLOGS-02',
    'hundred-logs',
    'Gives a hundred pending logs, and no more',
    rewriteResult('eth_getLogs', (result, { params }) =>
      Array.isArray(result) && Object(params[0]).fromBlock === 'pending'
        ? result.slice(0, 100)
        : result,
    ),
  ),
]
