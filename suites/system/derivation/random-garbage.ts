import { bytesToHex } from '@ethereumjs/util'
import { decodeBatcherData, encodeBatcherData, type Frame } from '#protocol/derivation/frame'
import type { RandomSource } from '#suites/oracles/differential/random-source'

/** Batcher data that no honest batcher sends, mostly made of what one did send. */
export function randomGarbage(random: RandomSource, known: Uint8Array): Uint8Array {
  const frames = decodeBatcherData(known)
  const makers = [
    () => Uint8Array.of(0, ...random.bytes(random.below(200))),
    () => random.bytes(random.below(60)),
    // Once more, long after: its batches are past by then.
    () => known,
    () => known.subarray(0, random.below(known.length + 1)),
    () => flipped(random, known),
    () => encodeBatcherData(frames.toReversed()),
    // Throws out the channel that is open.
    () => encodeBatcherData([opening(random)]),
    () => encodeBatcherData([opening(random), ...frames]),
    () => encodeBatcherData(frames.map((frame) => ({ ...frame, number: frame.number + 1 }))),
    () => encodeBatcherData(frames.map((frame) => ({ ...frame, isLast: !frame.isLast }))),
  ]
  return random.pick(makers)()
}

function opening(random: RandomSource): Frame {
  return {
    channelId: bytesToHex(random.bytes(16)),
    number: 0,
    data: random.bytes(random.below(100)),
    isLast: random.oneIn(3),
  }
}

function flipped(random: RandomSource, data: Uint8Array): Uint8Array {
  const copy = data.slice()
  if (copy.length > 0) copy[random.below(copy.length)]! ^= 1 << random.below(8)
  return copy
}
