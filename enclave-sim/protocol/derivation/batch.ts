import { concatBytes } from '@ethereumjs/util'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import {
  type ChannelCompression,
  compressChannel,
  decompressChannel,
} from './channel-compression.ts'
import { MAX_RLP_BYTES_PER_CHANNEL } from './protocol-parameters.ts'
import { readRlpItem } from './rlp-item.ts'
import { decodeSingularBatch, encodeSingularBatch, type SingularBatch } from './singular-batch.ts'
import { decodeSpanBatch, encodeSpanBatch, type SpanBatch } from './span-batch.ts'

export type Batch = { type: 'singular'; batch: SingularBatch } | { type: 'span'; batch: SpanBatch }

/** The version byte before a batch's content. OP specs, Derivation "Batch Format", Delta. */
const VERSION = { singular: 0, span: 1 } as const

function encodeBatch(batch: Batch): Uint8Array {
  const content =
    batch.type === 'singular' ? encodeSingularBatch(batch.batch) : encodeSpanBatch(batch.batch)
  return concatBytes(Uint8Array.of(VERSION[batch.type]), content)
}

/** The batches of a channel, one after the other, not yet compressed. */
export function encodeBatches(batches: readonly Batch[]): Uint8Array {
  return concatBytes(...batches.map((batch) => encodeRlp(encodeBatch(batch))))
}

/** A channel's compressed data, ready to be cut into frames. OP spec, Derivation, "Channel Format". */
export function encodeChannel(
  batches: readonly Batch[],
  compression: ChannelCompression,
): Uint8Array {
  return compressChannel(encodeBatches(batches), compression)
}

/**
 * The batches of a channel, each decoded when it is asked for. Ends where the data ends, and before
 * the first batch that cannot be decoded.
 */
export function* readChannel(
  data: Uint8Array,
  chainId: bigint,
  maxRlpBytes = MAX_RLP_BYTES_PER_CHANNEL,
): Generator<Batch, void> {
  let rest = decompressChannel(data, maxRlpBytes)
  while (rest.length > 0) {
    const next = readBatch(rest, chainId)
    if (!next) return
    rest = rest.subarray(next.length)
    yield next.batch
  }
}

function readBatch(rlp: Uint8Array, chainId: bigint): { batch: Batch; length: number } | undefined {
  try {
    const { isList, payload, encoded } = readRlpItem(rlp)
    if (isList) return undefined
    const batch = decodeBatch(payload, chainId)
    return batch && { batch, length: encoded.length }
  } catch (error) {
    // Malformed content makes the batch invalid; what follows it in the channel goes with it.
    if (error instanceof RollbedError) return undefined
    throw error
  }
}

function decodeBatch(bytes: Uint8Array, chainId: bigint): Batch | undefined {
  const content = bytes.subarray(1)
  if (bytes[0] === VERSION.singular)
    return { type: 'singular', batch: decodeSingularBatch(content) }
  if (bytes[0] === VERSION.span) return { type: 'span', batch: decodeSpanBatch(content, chainId) }
  return undefined
}
