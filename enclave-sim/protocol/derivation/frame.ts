import { bytesToInt, concatBytes, intToBytes, setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Hex } from '../types/bytes.ts'

/** A piece of a channel. */
export interface Frame {
  /** 16 bytes. */
  channelId: Hex
  number: number
  data: Uint8Array
  isLast: boolean
}

/** channel_id 16, frame_number 2, frame_data_length 4, is_last 1. */
export const FRAME_OVERHEAD = 23
const MAX_FRAME_DATA = 1_000_000
/** The only version of batcher transactions with frames in them. */
const DERIVATION_VERSION = 0

/** OP spec, Derivation, "Frame Format". */
function encodeFrame({ channelId, number, data, isLast }: Frame): Uint8Array {
  return concatBytes(
    hexToBytes(channelId),
    setLengthLeft(intToBytes(number), 2),
    setLengthLeft(intToBytes(data.length), 4),
    data,
    Uint8Array.of(isLast ? 1 : 0),
  )
}

/**
 * What a batcher transaction carries. OP spec, Derivation, "Batcher Transaction Format".
 * @example
 * encodeBatcherData([]) // Uint8Array.of(0)
 */
export function encodeBatcherData(frames: readonly Frame[]): Uint8Array {
  return concatBytes(Uint8Array.of(DERIVATION_VERSION), ...frames.map(encodeFrame))
}

/** @returns the frames; none when any of it is malformed, for then all of it is ignored. */
export function decodeBatcherData(data: Uint8Array): Frame[] {
  if (data[0] !== DERIVATION_VERSION) return []
  const frames: Frame[] = []
  let at = 1
  while (at < data.length) {
    if (data.length - at < FRAME_OVERHEAD) return []
    const length = bytesToInt(data.subarray(at + 18, at + 22))
    const end = at + 22 + length
    const last = data[end]
    if (length > MAX_FRAME_DATA || last === undefined || last > 1) return []
    frames.push({
      channelId: bytesToHex(data.subarray(at, at + 16)),
      number: bytesToInt(data.subarray(at + 16, at + 18)),
      data: data.subarray(at + 22, end),
      isLast: last === 1,
    })
    at = end + 1
  }
  return frames
}
