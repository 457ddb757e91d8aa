import { rulesAt } from '../upgrades/schedule.ts'
import { type Batch, readChannel } from './batch.ts'
import {
  type BatchContext,
  type BatchValidity,
  type L1BlockRef,
  nextTimestamp,
  type SafeHead,
} from './batch-validity.ts'
import { createChannelAssembler, type StagingChannel } from './channel-assembler.ts'
import { checkSingularBatch } from './check-singular-batch.ts'
import { checkSpanBatch, type L2Ancestor } from './check-span-batch.ts'
import { decodeBatcherData, type Frame } from './frame.ts'
import { isStale } from './is-stale.ts'
import { orderFrames } from './order-frames.ts'
import type { RollupConfig } from './rollup-config.ts'
import type { SingularBatch } from './singular-batch.ts'
import type { SpanBatch } from './span-batch.ts'
import { type SpanBlockBatch, spanBlocks } from './span-blocks.ts'

export interface BatchStage {
  /** Takes the batcher transactions of the next L1 block; those before must be used up. */
  load(l1Number: bigint, data: readonly Uint8Array[]): void
  /** Uses up what is loaded without looking at its batches; channels left open stay open. */
  drain(): void
  /** The next valid batch from what is loaded; undefined when that is used up. */
  next(parent: SafeHead, epoch: L1BlockRef): Promise<SingularBatch | undefined>
  /** Drops what is left of the current span and channel. */
  flushChannel(): void
  /** All there is to remember where what was loaded is used up. */
  staging(): StagingChannel | undefined
  /** Goes back to where this was staging and nothing was loaded. */
  restore(staging: StagingChannel | undefined): void
}

export interface BatchStageParameters {
  config: RollupConfig
  l1Block(number: bigint): L1BlockRef | undefined
  ancestor(number: bigint): Promise<L2Ancestor | undefined>
}

/**
 * From batcher transactions to valid batches, in the strict order of Holocene: frame queue, channel
 * bank, channel reader, span batch stage and batch queue of the OP specs, each at most one deep.
 */
export function createBatchStage(parameters: BatchStageParameters): BatchStage {
  const { config, l1Block, ancestor } = parameters
  const assembler = createChannelAssembler(config.channelTimeout)
  const l2GenesisTime = BigInt(config.genesis.l2Time)
  let inclusionNumber = 0n
  let data: Uint8Array[] = []
  let frames: Frame[] = []
  let channel: Iterator<Batch, void> | undefined
  let span: Iterator<SpanBlockBatch, void> | undefined
  /** Taken from the channel; kept where what it is held against could not be read, to be judged again. */
  let unjudged: Batch | undefined

  function nextChannel(): Iterator<Batch, void> | undefined {
    for (;;) {
      if (frames.length === 0) {
        const transaction = data.shift()
        if (!transaction) return undefined
        frames = orderFrames(decodeBatcherData(transaction))
      }
      const frame = frames.shift()
      const complete = frame && assembler.add(frame, inclusionNumber)
      if (complete) return readChannel(complete, BigInt(config.l2ChainId))
    }
  }

  function nextInChannel(): Batch | undefined {
    for (;;) {
      channel ??= nextChannel()
      if (!channel) return undefined
      const { value } = channel.next()
      if (value) return value
      channel = undefined
    }
  }

  function nextInSpan(parent: SafeHead): SingularBatch | undefined {
    const block = span?.next().value
    if (!block) {
      span = undefined
      return undefined
    }
    // The prefix check has tied the span to its parent; each next block stands on the one before.
    return { ...block, parentHash: parent.hash }
  }

  function flushChannel(): void {
    span = undefined
    channel = undefined
    unjudged = undefined
  }

  async function openSpan(batch: SpanBatch, context: BatchContext): Promise<void> {
    const validity = await checkSpanBatch(batch, { ...context, l2GenesisTime, ancestor })
    if (validity === 'drop') return flushChannel()
    if (validity === 'past') return
    span = spanBlocks(batch, { l2GenesisTime, blockTime: BigInt(config.blockTime), l1Block })
  }

  async function judge(batch: SingularBatch, context: BatchContext): Promise<BatchValidity> {
    const validity = checkSingularBatch(batch, context)
    if (validity !== 'drop') return validity
    return (await isStale(batch, { ...context, ancestor })) ? 'past' : 'drop'
  }

  return {
    load(l1Number, transactions) {
      inclusionNumber = l1Number
      data = [...transactions]
    },
    drain() {
      while (nextChannel()) {}
    },
    flushChannel,
    staging: () => assembler.staging(),
    restore(staging) {
      flushChannel()
      data = []
      frames = []
      assembler.restore(staging)
    },
    async next(parent, epoch) {
      const context = { config, parent, epoch, l1Block, inclusionNumber }
      for (;;) {
        let candidate = nextInSpan(parent)
        if (candidate && !allowsSpans(context)) {
          // The tail of a span that crosses into blocks of 200 ms.
          flushChannel()
          candidate = undefined
        }
        if (!candidate) {
          unjudged ??= nextInChannel()
          if (!unjudged) return undefined
          if (unjudged.type === 'span') {
            await openSpan(unjudged.batch, context)
            unjudged = undefined
            continue
          }
          candidate = unjudged.batch
        }
        const validity = await judge(candidate, context)
        unjudged = undefined
        if (validity === 'accept') return candidate
        if (validity === 'drop') flushChannel()
      }
    },
  }
}

function allowsSpans(context: BatchContext): boolean {
  const { upgrades } = context.config
  return rulesAt(upgrades, nextTimestamp(context) * 1000n).allowsSpanBatches
}
