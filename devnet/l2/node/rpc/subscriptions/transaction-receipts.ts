import { parseHash } from '#devnet/base/json-rpc/params/parse-fixed-bytes'
import { parseList, parseRecord } from '#devnet/base/json-rpc/params/parse-record'
import { receiptJson } from '../json/receipt-json.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** As go-ethereum. */
const MAX_HASHES = 200

/**
 * `transactionReceipts {transactionHashes?}`: the receipts of each sealed block in one list; with hashes
 * those alone, of blocks that have any.
 */
export const transactionReceipts: SubscriptionKind = (_rpc, options, emit, on) => {
  const wanted = parseHashes(options)
  return on('sealed', (block) => {
    const receipts = block.transactions.flatMap(({ hash }, index) =>
      wanted === undefined || wanted.has(hash) ? [receiptJson(block, index)] : [],
    )
    if (receipts.length > 0) emit(receipts)
  })
}

/** All of them where none is named. */
function parseHashes(options: unknown): ReadonlySet<string> | undefined {
  const { transactionHashes: hashes } = parseRecord(options ?? {}, 'options')
  if (hashes === undefined || hashes === null) return undefined
  const list = parseList(hashes, 'transactionHashes', MAX_HASHES)
  if (list.length === 0) return undefined
  return new Set(list.map((hash, index) => parseHash(hash, `transactionHashes[${index}]`)))
}
