import type { BatcherInput } from './batcher-inputs.ts'
import { decodeBlob } from './blob-encoding.ts'
import type { L1Header } from './l1-header.ts'
import type { L1Source } from './l1-source.ts'

/**
 * The data of a block's batcher transactions, in order: call data, and what blobs hold. A blob that
 * is not encoded as it should be is skipped; one that cannot be had is an error.
 * Source: OP specs, Ecotone Derivation, "Blob Retrieval".
 */
export async function readBatcherData(
  l1: Pick<L1Source, 'blob'>,
  block: L1Header,
  inputs: readonly BatcherInput[],
): Promise<Uint8Array[]> {
  const data: Uint8Array[] = []
  for (const input of inputs) {
    const bytes = typeof input === 'string' ? decodeBlob(await l1.blob(input, block)) : input
    if (bytes) data.push(bytes)
  }
  return data
}
