import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { fromRlp, type Hex, hexToBytes, toHex } from 'viem'
import type { Batched } from './batched.ts'
import type { ChainKnown } from './events-of.ts'
import { readSingular } from './read-singular.ts'
import { readSpan } from './read-span.ts'

interface Frame {
  channel: Hex
  number: number
  isLast: boolean
  data: Uint8Array
}

/** Of OP's batcher transactions: frames follow. */
const FRAMES = 0
const BROTLI = 1
const SINGULAR = 0
const SPAN = 1

/**
 * What a batcher posted, in the order of L1: frames become channels, channels batches. Since Holocene frames come in
 * order, one channel after the other: a first frame gives up the channel before it, and a frame that is not next is
 * none. It shares no code with our derivation, is slow and plain on purpose, and judges no batch valid or not.
 */
export class Inbox {
  readonly #known: ChainKnown
  #channel: Frame[] = []

  constructor(known: ChainKnown) {
    this.#known = known
  }

  /**
   * The batches of each channel that is whole with the next L1 block.
   * @param inputs call data of its transactions to the inbox, in order
   */
  read(inputs: readonly Hex[]): Batched[][] {
    return inputs.flatMap((input) =>
      framesOf(hexToBytes(input)).flatMap((frame) => {
        if (frame.number === 0) this.#channel = []
        const isNext = frame.number === this.#channel.length
        const [first] = this.#channel
        if (!isNext || (first && first.channel !== frame.channel)) return []
        this.#channel.push(frame)
        if (!frame.isLast) return []
        const whole = Buffer.concat(this.#channel.map(({ data }) => data))
        this.#channel = []
        return [batchesOf(whole, this.#known)]
      }),
    )
  }
}

/** Channel 16 bytes, number 2, length 4, data, whether it is the last 1; none where one of them is not whole. */
function framesOf(bytes: Uint8Array): Frame[] {
  const frames: Frame[] = []
  if (bytes[0] !== FRAMES) return frames
  const view = Buffer.from(bytes)
  for (let at = 1; at < view.length; ) {
    if (at + 23 > view.length) return []
    const end = at + 22 + view.readUInt32BE(at + 18)
    if (end >= view.length || view[end]! > 1) return []
    frames.push({
      channel: toHex(view.subarray(at, at + 16)),
      number: view.readUInt16BE(at + 16),
      data: view.subarray(at + 22, end),
      isLast: view[end] === 1,
    })
    at = end + 1
  }
  return frames
}

/** What cannot be read is no batch, and what comes after it in its channel is none either. */
function batchesOf(channel: Uint8Array, known: ChainKnown): Batched[] {
  const batches: Batched[] = []
  const chain = { id: known.chainId, genesisTime: known.genesisTime, blockTime: known.blockTime }
  try {
    const plain =
      channel[0] === BROTLI ? brotliDecompressSync(channel.subarray(1)) : inflateSync(channel)
    for (let at = 0; at < plain.length; ) {
      const size = sizeOfString(plain, at)
      const batch = hexToBytes(fromRlp(toHex(plain.subarray(at, at + size)), 'hex') as Hex)
      if (batch[0] === SPAN) batches.push(readSpan(batch.subarray(1), chain))
      if (batch[0] === SINGULAR) batches.push(readSingular(batch.subarray(1)))
      at += size
    }
  } catch {
    return batches
  }
  return batches
}

/** Of a string in RLP, with its head. */
function sizeOfString(bytes: Uint8Array, at: number): number {
  const head = bytes[at]!
  if (head < 0x80) return 1
  if (head <= 0xb7) return 1 + head - 0x80
  const sizeLength = head - 0xb7
  return 1 + sizeLength + Number(BigInt(toHex(bytes.subarray(at + 1, at + 1 + sizeLength))))
}
