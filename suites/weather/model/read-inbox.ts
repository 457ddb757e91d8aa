import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { fromRlp, type Hex, hexToBytes, toHex } from 'viem'
import type { ChainKnown } from './events-of.ts'
import { type BatchedBlock, readSpan } from './read-span.ts'

interface Frame {
  channel: Hex
  number: number
  isLast: boolean
  data: Uint8Array
}

/** Of OP's batcher transactions: frames follow. */
const FRAMES = 0
const BROTLI = 1
const SPAN = 1

/**
 * All that a batcher posted, block by block, in the order of L1: frames become channels, channels batches.
 * It shares no code with our derivation, is slow and plain on purpose, and judges no batch valid or not.
 *
 * @param inputs call data of the transactions to the inbox, in the order of the chain
 */
export function readInbox(inputs: readonly Hex[], known: ChainKnown): BatchedBlock[] {
  const channels = new Map<Hex, Map<number, Frame>>()
  return inputs.flatMap((input) =>
    framesOf(hexToBytes(input)).flatMap((frame) => {
      const frames = channels.get(frame.channel) ?? new Map<number, Frame>()
      channels.set(frame.channel, frames.set(frame.number, frame))
      const last = [...frames.values()].find(({ isLast }) => isLast)
      if (!last || frames.size <= last.number) return []
      channels.delete(frame.channel)
      const inOrder = [...frames.values()].sort((a, b) => a.number - b.number)
      return batchesOf(Buffer.concat(inOrder.map(({ data }) => data)), known)
    }),
  )
}

/** Channel 16 bytes, number 2, length 4, data, whether it is the last 1. */
function framesOf(bytes: Uint8Array): Frame[] {
  const frames: Frame[] = []
  if (bytes[0] !== FRAMES) return frames
  const view = Buffer.from(bytes)
  for (let at = 1; at + 23 <= view.length; ) {
    const end = at + 22 + view.readUInt32BE(at + 18)
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

function batchesOf(channel: Uint8Array, known: ChainKnown): BatchedBlock[] {
  const plain =
    channel[0] === BROTLI ? brotliDecompressSync(channel.subarray(1)) : inflateSync(channel)
  const blocks: BatchedBlock[] = []
  for (let at = 0; at < plain.length; ) {
    const size = sizeOfString(plain, at)
    const batch = hexToBytes(fromRlp(toHex(plain.subarray(at, at + size)), 'hex') as Hex)
    if (batch[0] !== SPAN) throw new Error(`Our batcher posts no batch of version ${batch[0]}.`)
    const chain = { id: known.chainId, genesisTime: known.genesisTime, blockTime: known.blockTime }
    blocks.push(...readSpan(batch.subarray(1), chain))
    at += size
  }
  return blocks
}

/** Of a string in RLP, with its head. */
function sizeOfString(bytes: Uint8Array, at: number): number {
  const head = bytes[at]!
  if (head < 0x80) return 1
  if (head <= 0xb7) return 1 + head - 0x80
  const sizeLength = head - 0xb7
  return 1 + sizeLength + Number(BigInt(toHex(bytes.subarray(at + 1, at + 1 + sizeLength))))
}
