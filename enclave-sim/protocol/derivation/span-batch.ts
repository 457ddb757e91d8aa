import { concatBytes } from '@ethereumjs/util'
import { encodeBitlist, readBitlist } from './bitlist.ts'
import { type ByteReader, byteReader, encodeUvarint } from './byte-reader.ts'
import { DerivationError } from './derivation-error.ts'
import { MAX_SPAN_BATCH_ELEMENTS } from './protocol-parameters.ts'
import { encodeSpanTransactions, readSpanTransactions } from './span-batch-transactions.ts'

/** A run of consecutive L2 blocks. OP specs, Delta, "Span batch format". */
export interface SpanBatch {
  /** Of the first block, seconds since the L2 genesis. */
  relativeTimestamp: bigint
  /** L1 origin of the last block. */
  l1OriginNumber: bigint
  /** First 20 bytes of the hash of the block before the first. */
  parentCheck: Uint8Array
  /** First 20 bytes of the hash of the last block's L1 origin. */
  l1OriginCheck: Uint8Array
  blocks: SpanBlock[]
}

export interface SpanBlock {
  /** Whether the L1 origin is another than the parent block's. */
  originChanged: boolean
  /** EIP-2718 bytes; no deposits. */
  transactions: Uint8Array[]
}

/** Without the version byte. @throws TransactionMalformed, DerivationError BATCH_MALFORMED */
export function encodeSpanBatch(span: SpanBatch): Uint8Array {
  const { blocks } = span
  return concatBytes(
    encodeUvarint(span.relativeTimestamp),
    encodeUvarint(span.l1OriginNumber),
    span.parentCheck,
    span.l1OriginCheck,
    encodeUvarint(BigInt(blocks.length)),
    encodeBitlist(blocks.map(({ originChanged }) => originChanged)),
    ...blocks.map(({ transactions }) => encodeUvarint(BigInt(transactions.length))),
    encodeSpanTransactions(blocks.flatMap(({ transactions }) => transactions)),
  )
}

/** @throws TransactionMalformed, DerivationError BATCH_MALFORMED */
export function decodeSpanBatch(content: Uint8Array, chainId: bigint): SpanBatch {
  const reader = byteReader(content)
  const relativeTimestamp = reader.uvarint()
  const l1OriginNumber = reader.uvarint()
  const parentCheck = reader.take(20)
  const l1OriginCheck = reader.take(20)
  const blockCount = readCount(reader)
  if (blockCount === 0) throw new DerivationError('BATCH_MALFORMED', 'The span has no block.')
  const originChanged = readBitlist(reader, blockCount)
  const counts: number[] = []
  let total = 0
  for (let i = 0; i < blockCount; i++) {
    const count = readCount(reader)
    counts.push(count)
    total += count
  }
  if (total > MAX_SPAN_BATCH_ELEMENTS) throw tooMany()
  const transactions = readSpanTransactions(reader, total, chainId)
  let next = 0
  const blocks = counts.map((count, i) => {
    if (count === 0) return originChanged(i) ? EMPTY_IN_NEXT_EPOCH : EMPTY
    next += count
    return { originChanged: originChanged(i), transactions: transactions.slice(next - count, next) }
  })
  return { relativeTimestamp, l1OriginNumber, parentCheck, l1OriginCheck, blocks }
}

// Shared, so that a few bytes that stand for ten million empty blocks do not fill the memory.
const EMPTY: SpanBlock = { originChanged: false, transactions: [] }
const EMPTY_IN_NEXT_EPOCH: SpanBlock = { originChanged: true, transactions: [] }

function readCount(reader: ByteReader): number {
  const count = reader.uvarint()
  if (count > BigInt(MAX_SPAN_BATCH_ELEMENTS)) throw tooMany()
  return Number(count)
}

function tooMany(): DerivationError {
  return new DerivationError(
    'BATCH_MALFORMED',
    `A span holds at most ${MAX_SPAN_BATCH_ELEMENTS} blocks and as many transactions.`,
  )
}
