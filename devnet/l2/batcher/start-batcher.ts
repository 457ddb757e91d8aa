import type { Logger } from 'pino'
import type { RpcEndpoint } from '#devnet/base/json-rpc/rpc-endpoint'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { LOOK_DESPITE_NEWS, type OnNews, pacedWork } from '#devnet/base/process/paced-work'
import type { Kzg } from '#devnet/l1/blobs/kzg'
import { type Clock, sleep } from '#protocol/clock/clock'
import { MAX_BLOB_DATA } from '#protocol/derivation/blob-encoding'
import type { ChannelCompression } from '#protocol/derivation/channel-compression'
import { FRAME_OVERHEAD } from '#protocol/derivation/frame'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Hex } from '#protocol/types/bytes'
import type { ChainControl } from '../node/chain-control.ts'
import type { ChainView } from '../node/chain-view.ts'
import type { BatchType, CompressChannel } from './build-channel.ts'
import { openInbox } from './inbox.ts'
import { Submissions } from './submissions.ts'
import { watchFreshBlock } from './watch-fresh-block.ts'

/** Milliseconds between two looks at L1 while something waits to be included. */
const POLL_INTERVAL = 100
/** Milliseconds between two looks while nothing may be sent: L1 may drop what it has. */
const LOOK_WHILE_RESTING = 2_000
/** Of a block's time: for so long after its seal it goes into no batch. */
const FRESH = 1 / 4
/** One frame in a blob, after the version byte of its batcher transaction. */
const MAX_BLOB_FRAME = MAX_BLOB_DATA - 1 - FRAME_OVERHEAD

export interface StartBatcherParameters {
  chain: ChainView & Pick<ChainControl, 'markSent'>
  l1RpcUrl: RpcEndpoint
  /** Tells of new L1 blocks. */
  l1News?: OnNews | undefined
  /** Of the batcher's account, which the system configuration must name. */
  privateKey: Hex
  config: RollupConfig
  clock: Clock
  /**
   * Milliseconds between two postings, 2,000 by default: at most in call data, where a batch goes out as soon as it
   * may; at least in blobs, which cost the same whether they are full or not.
   */
  interval?: number
  /** `span` by default. */
  batchType?: BatchType
  /** `brotli` by default. */
  compression?: ChannelCompression
  /** On the thread that calls by default: a node on it would stand still meanwhile. */
  compress?: CompressChannel
  /** Batches go into blobs then; into call data without. Whoever gave it stops it. */
  kzg?: Kzg | undefined
  /** Bytes of a channel per frame: 100,000 by default, in blobs at most and by default as many as one holds. */
  maxFrameData?: number
  /** L1 blocks after which what is on L1 and did not become safe is posted again, 10 by default. */
  repostAfter?: number
  logger?: Logger
}

export interface Batcher extends OwnedResource {
  /** Number of the newest block whose batch is on L1. */
  posted(): bigint
  /**
   * Posts every block sealed so far; resolves when their batches are on L1.
   * @throws whatever L1 answers, and the reason of `stop()`
   */
  flush(): Promise<void>
}

/**
 * Starts to post sealed L2 blocks to the batch inbox on L1, a channel at a time and in order, as
 * Holocene demands; again when L1 loses what was posted.
 * Source: OP specs, Derivation, "Batch Submission".
 */
export async function startBatcher(parameters: StartBatcherParameters): Promise<Batcher> {
  const { chain, config, clock, kzg, l1News, logger, interval = 2_000 } = parameters
  const abort = new AbortController()
  const maxFrameData = parameters.maxFrameData ?? (kzg ? MAX_BLOB_FRAME : 100_000)
  const inbox = openInbox({
    l1RpcUrl: parameters.l1RpcUrl,
    l1ChainId: config.l1ChainId,
    address: config.batchInboxAddress,
    privateKey: parameters.privateKey,
    kzg,
    signal: abort.signal,
  })
  const fresh = watchFreshBlock(chain, clock, config.blockTime * 1_000 * FRESH)
  let flushes = 0
  let hasWaited = false
  const unlessFlushed = (time: number) => (flushes > 0 ? 0 : Math.max(0, time))
  const freshFor = () => unlessFlushed(fresh.remaining())
  const restFor = () => unlessFlushed(kzg ? submissions.sentAt + interval - clock.now() : 0)
  const submissions = new Submissions({
    chain,
    newest() {
      if (restFor() > 0) return 0n
      const latest = chain.latest().header.number
      const isFresh = freshFor() > 0
      // Once, so that the newest block is in this channel; a chain that grows faster does without it.
      const waitsNow = isFresh && !hasWaited
      hasWaited = isFresh
      return waitsNow ? 0n : isFresh ? latest - 1n : latest
    },
    inbox,
    format: {
      config,
      batchType: parameters.batchType ?? 'span',
      compression: parameters.compression ?? 'brotli',
      compress: parameters.compress,
    },
    maxFrameData: kzg ? Math.min(maxFrameData, MAX_BLOB_FRAME) : maxFrameData,
    repostAfter: parameters.repostAfter ?? 10,
    clock,
    logger,
  })
  const forgetReorg = chain.on('reorg', ({ removed }) => submissions.forget(removed))

  const patience = Math.min(l1News ? LOOK_DESPITE_NEWS : POLL_INTERVAL, interval)
  const pause = kzg ? Math.min(interval, LOOK_WHILE_RESTING) : interval
  // Two steps at once would post the same blocks twice.
  const posting = pacedWork({
    work: () => submissions.step(),
    delay: () =>
      submissions.inFlight ? patience : Math.min(Math.max(freshFor(), restFor()) || pause, pause),
    // What is not on its way is posted at its own pace.
    news: l1News && ((look) => l1News(() => submissions.inFlight && look())),
    clock,
    abort,
    complaint: 'batches cannot be posted',
    logger,
  })

  return {
    posted: () => submissions.posted,
    async flush() {
      const target = chain.latest().header.number
      flushes += 1
      try {
        for (;;) {
          await posting.now()
          if (submissions.posted >= target) return
          await sleep(clock, POLL_INTERVAL, abort.signal)
        }
      } finally {
        flushes -= 1
      }
    },
    async stop() {
      forgetReorg()
      fresh.stop()
      await posting.stop(new Error('The batcher was stopped.'))
    },
  }
}
