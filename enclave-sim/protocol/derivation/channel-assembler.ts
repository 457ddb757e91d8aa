import { concatBytes } from '@ethereumjs/util'
import type { Hex } from '../types/bytes.ts'
import type { Frame } from './frame.ts'
import { MAX_RLP_BYTES_PER_CHANNEL } from './protocol-parameters.ts'

/** What a frame counts beyond its data. OP spec, Derivation, "Pruning". */
const FRAME_SIZE_OVERHEAD = 200

/** A channel that is not complete yet. */
export interface StagingChannel {
  id: Hex
  openedAt: bigint
  parts: Uint8Array[]
  size: number
}

export interface ChannelAssembler {
  /**
   * Takes the next frame, found in L1 block `l1Number`.
   * @returns the channel's compressed data when the frame completes it
   */
  add(frame: Frame, l1Number: bigint): Uint8Array | undefined
  /** What is open now. */
  staging(): StagingChannel | undefined
  /** Goes on from what was open once. */
  restore(staging: StagingChannel | undefined): void
}

/**
 * Puts frames together into one channel at a time. Source: OP specs, Holocene, "Channel Bank".
 * @param channelTimeout L1 blocks a channel may stay open
 */
export function createChannelAssembler(
  channelTimeout: number,
  maxSize = MAX_RLP_BYTES_PER_CHANNEL,
): ChannelAssembler {
  let channel: StagingChannel | undefined

  return {
    add(frame, l1Number) {
      if (channel && l1Number > channel.openedAt + BigInt(channelTimeout)) channel = undefined
      // A first frame always opens a channel, in place of one that was never completed.
      if (frame.number === 0) {
        channel = { id: frame.channelId, openedAt: l1Number, parts: [], size: 0 }
      }
      if (channel?.id !== frame.channelId || channel.parts.length !== frame.number) return undefined

      channel.parts.push(frame.data)
      channel.size += frame.data.length + FRAME_SIZE_OVERHEAD
      if (channel.size > maxSize) {
        channel = undefined
        return undefined
      }
      if (!frame.isLast) return undefined
      const data = concatBytes(...channel.parts)
      channel = undefined
      return data
    },
    staging: () => channel && { ...channel, parts: [...channel.parts] },
    restore(staging) {
      channel = staging && { ...staging, parts: [...staging.parts] }
    },
  }
}
