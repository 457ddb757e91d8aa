import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { type Batch, encodeBatches } from '#protocol/derivation/batch'
import { type ChannelCompression, compressChannel } from '#protocol/derivation/channel-compression'
import { l2Parent } from '#protocol/derivation/l2-parent'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Block } from '#protocol/types/block'
import { isDeposit } from '#protocol/types/transaction'
import { rulesAt } from '#protocol/upgrades/schedule'

export type BatchType = Batch['type']

export interface ChannelFormat {
  config: RollupConfig
  /** Blocks that no span may hold stand in singular batches whatever is asked for. */
  batchType: BatchType
  compression: ChannelCompression
  /** On this thread by default. */
  compress?: CompressChannel | undefined
}

export type CompressChannel = (
  rlpBatches: Uint8Array,
  compression: ChannelCompression,
) => Uint8Array | Promise<Uint8Array>

/** The compressed channel of consecutive blocks, of which there is at least one. */
export async function buildChannel(
  blocks: readonly Block[],
  format: ChannelFormat,
): Promise<Uint8Array> {
  const { config, batchType, compression, compress = compressChannel } = format
  const fast = batchType === 'span' ? spanEnd(blocks, config) : 0
  const spans = fast > 0 ? [spanBatch(blocks.slice(0, fast), config)] : []
  const batches = [...spans, ...blocks.slice(fast).map((block) => singularBatch(block, config))]
  return await compress(encodeBatches(batches), compression)
}

/** How many of the blocks, from the first on, a span may hold. */
function spanEnd(blocks: readonly Block[], { upgrades }: RollupConfig): number {
  const end = blocks.findIndex(
    ({ header }) => !rulesAt(upgrades, header.timestamp * 1000n).allowsSpanBatches,
  )
  return end < 0 ? blocks.length : end
}

function spanBatch(blocks: readonly Block[], config: RollupConfig): Batch {
  const first = blocks[0]!.header
  const { l1Origin } = l2Parent(config, blocks.at(-1)!)
  return {
    type: 'span',
    batch: {
      relativeTimestamp: first.timestamp - BigInt(config.genesis.l2Time),
      l1OriginNumber: l1Origin.number,
      parentCheck: hexToBytes(first.parentHash).subarray(0, 20),
      l1OriginCheck: hexToBytes(l1Origin.hash).subarray(0, 20),
      blocks: blocks.map((block) => ({
        originChanged: l2Parent(config, block).sequenceNumber === 0n,
        transactions: userTransactions(block),
      })),
    },
  }
}

/** One block as it is posted by itself. */
export function singularBatch(
  block: Block,
  config: RollupConfig,
): Extract<Batch, { type: 'singular' }> {
  const { l1Origin } = l2Parent(config, block)
  return {
    type: 'singular',
    batch: {
      parentHash: block.header.parentHash,
      epochNumber: l1Origin.number,
      epochHash: l1Origin.hash,
      timestamp: block.header.timestamp,
      transactions: userTransactions(block),
    },
  }
}

/** Deposits come from L1 and are never posted. */
function userTransactions({ transactions }: Block): Uint8Array[] {
  return transactions.filter((each) => !isDeposit(each)).map(({ raw }) => raw)
}
