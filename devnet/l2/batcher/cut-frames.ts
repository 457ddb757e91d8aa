import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import type { Frame } from '#protocol/derivation/frame'

/** Cuts a channel into frames of at most `maxData` bytes. Its id is 16 bytes of its own hash. */
export function cutFrames(channel: Uint8Array, maxData: number): Frame[] {
  const channelId = bytesToHex(keccak256(channel).subarray(0, 16))
  const count = Math.max(1, Math.ceil(channel.length / maxData))
  return Array.from({ length: count }, (_, number) => ({
    channelId,
    number,
    data: channel.subarray(number * maxData, (number + 1) * maxData),
    isLast: number === count - 1,
  }))
}
