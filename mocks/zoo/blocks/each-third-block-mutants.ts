import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteResult } from '../rewrites.ts'

const block = mutantsOf('block', 'rpc')
const pending = mutantsOf('pending', 'rpc')

type Kind = 'sealed' | 'pending'

/** Changes each third block of a kind that fits. One look would miss it. */
const eachThird =
  (
    kind: Kind,
    change: (block: JsonObject) => JsonObject,
    fits: (block: JsonObject) => boolean = () => true,
  ): Mutant['apply'] =>
  (context) => {
    let met = 0
    return rewriteResult('eth_getBlockByNumber', (result, { params }) => {
      const found = result as JsonObject | null
      if (!found || (params[0] === 'pending') !== (kind === 'pending') || !fits(found)) return found
      met += 1
      return met % 3 === 0 ? change(found) : found
    })(context)
  }

/** Likewise, of one member. */
const member = (kind: Kind, name: string, value: (block: JsonObject) => unknown) =>
  eachThird(kind, (found) => ({ ...found, [name]: value(found) }))

/** Likewise, of the last transaction of blocks that have whole ones which are no deposits. */
const transaction = (kind: Kind, change: (last: JsonObject) => JsonObject) =>
  eachThird(
    kind,
    (found) => ({ ...found, transactions: [...listOf(found).slice(0, -1), change(lastOf(found))] }),
    (found) => lastOf(found)?.type === '0x2',
  )

const listOf = (found: JsonObject) => found.transactions as JsonObject[]
const lastOf = (found: JsonObject) => listOf(found).at(-1)!
const plus = (value: unknown, by = 1n) => `0x${(BigInt(String(value)) + by).toString(16)}`
const flipped = (hash: unknown) => `${String(hash).slice(0, -1)}${/0$/.test(String(hash)) ? 1 : 0}`
const other = () => `0x${'11'.repeat(20)}`

/** Mutants that are right two times of three. */
export const EACH_THIRD_BLOCK_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-BLK-13',
    'third-receipts-root',
    'Root of receipts off in each third block',
    member('sealed', 'receiptsRoot', (found) => flipped(found.receiptsRoot)),
  ),
  block(
    'RPC-BLK-12',
    'third-state-root',
    'State root off in each third block',
    member('sealed', 'stateRoot', (found) => flipped(found.stateRoot)),
  ),
  block(
    'RPC-BLK-11',
    'third-transactions-root',
    'Root of transactions off in each third block',
    member('sealed', 'transactionsRoot', (found) => flipped(found.transactionsRoot)),
  ),
  block(
    'RPC-BLK-10',
    'third-bloom',
    'An empty bloom in each third block',
    member('sealed', 'logsBloom', () => `0x${'00'.repeat(256)}`),
  ),
  block(
    'RPC-BLK-20',
    'third-gas',
    'Gas off by one in each third block',
    member('sealed', 'gasUsed', (found) => plus(found.gasUsed)),
  ),
  block(
    'RPC-BLK-18',
    'third-size',
    'Size off by one in each third block',
    member('sealed', 'size', (found) => plus(found.size)),
  ),
  block(
    'RPC-BLK-27',
    'third-base-fee',
    'Base fee off by one in each third block',
    member('sealed', 'baseFeePerGas', (found) => plus(found.baseFeePerGas)),
  ),
  block(
    'RPC-BLK-07',
    'third-parent',
    'parentHash off in each third block',
    member('sealed', 'parentHash', (found) => flipped(found.parentHash)),
  ),
  block(
    'RPC-BLK-26',
    'third-withdrawals-root',
    'Root of withdrawals off in each third block',
    member('sealed', 'withdrawalsRoot', (found) => flipped(found.withdrawalsRoot)),
  ),
  block(
    'RPC-BLK-22',
    'third-hashes',
    'Hashes in the wrong order in each third list',
    eachThird(
      'sealed',
      (found) => ({ ...found, transactions: listOf(found).toReversed() }),
      (found) => listOf(found).length > 1,
    ),
  ),
  block(
    'RPC-BLK-23',
    'third-sender',
    'Another sender in each third block',
    transaction('sealed', (last) => ({ ...last, from: other() })),
  ),
  block(
    'RPC-BLK-23',
    'third-parity',
    'v and yParity pull apart in each third block',
    transaction('sealed', (last) => ({ ...last, yParity: last.v === '0x0' ? '0x1' : '0x0' })),
  ),
  block(
    'RPC-BLK-23',
    'third-tip',
    'Another tip in each third block',
    transaction('sealed', (last) => ({
      ...last,
      maxPriorityFeePerGas: plus(last.maxPriorityFeePerGas),
    })),
  ),
  block(
    'RPC-BLK-23',
    'third-hash',
    'Another transaction hash in each third block',
    transaction('sealed', (last) => ({ ...last, hash: flipped(last.hash) })),
  ),
  block(
    'RPC-BLK-23',
    'third-place',
    'A place too far in each third block',
    transaction('sealed', (last) => ({ ...last, transactionIndex: plus(last.transactionIndex) })),
  ),
  pending(
    'RPC-PEND-04',
    'third-timestamp',
    'A second behind, each third time',
    member('pending', 'timestamp', (found) => plus(found.timestamp, -1n)),
  ),
  pending(
    'RPC-PEND-04',
    'third-randomness',
    'mixHash off, each third time',
    member('pending', 'mixHash', (found) => flipped(found.mixHash)),
  ),
  pending(
    'RPC-PEND-04',
    'third-gas-limit',
    'Gas limit off, each third time',
    member('pending', 'gasLimit', (found) => plus(found.gasLimit, 1000n)),
  ),
  pending(
    'RPC-PEND-04',
    'third-base-fee',
    'Base fee off by one, each third time',
    member('pending', 'baseFeePerGas', (found) => plus(found.baseFeePerGas)),
  ),
  pending(
    'RPC-PEND-04',
    'third-size',
    'Size off by one, each third time',
    member('pending', 'size', (found) => plus(found.size)),
  ),
  pending(
    'RPC-PEND-04',
    'third-state-root',
    'The state root of the empty block, each third time',
    staleMember('stateRoot'),
  ),
  pending(
    'RPC-PEND-04',
    'third-transactions-root',
    'Root of transactions off, each third time',
    member('pending', 'transactionsRoot', (found) => flipped(found.transactionsRoot)),
  ),
  pending(
    'RPC-PEND-05',
    'third-gas',
    'The gas of the empty block, each third time',
    staleMember('gasUsed'),
  ),
  pending(
    'RPC-PEND-06',
    'third-list',
    'The newest transaction is missing, each third time',
    eachThird(
      'pending',
      (found) => ({ ...found, transactions: listOf(found).slice(0, -1) }),
      (found) => listOf(found).length > 1,
    ),
  ),
  pending(
    'RPC-PEND-08',
    'third-sender',
    'Another sender, each third time',
    transaction('pending', (last) => ({ ...last, from: other() })),
  ),
  pending(
    'RPC-PEND-08',
    'third-hash',
    'Another transaction hash, each third time',
    transaction('pending', (last) => ({ ...last, hash: flipped(last.hash) })),
  ),
]

/** Each third pending block has a member as the first on its parent had it. */
function staleMember(name: string): Mutant['apply'] {
  return (context) => {
    const firsts = new Map<unknown, unknown>()
    return eachThird(
      'pending',
      (found) => ({ ...found, [name]: firsts.get(found.parentHash) }),
      (found) => {
        if (!firsts.has(found.parentHash)) firsts.set(found.parentHash, found[name])
        return listOf(found).length > 1
      },
    )(context)
  }
}
