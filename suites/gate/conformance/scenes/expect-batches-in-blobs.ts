import { numberToHex } from 'viem'
import { notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { ethCall } from '../reads/eth-call.ts'
import type { Hex } from '../wire/hex.ts'
import { provableRange } from './proofs.ts'

/** Predeploy that holds what L2 knows of L1 (OP spec, "L1 attributes predeployed contract"). */
const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'
/** `number()` */
const NUMBER: Hex = '0x8381f58a'
/** `batcherHash()`: the batcher's address, in 32 bytes. */
const BATCHER: Hex = '0xe81b2c6d'
const BLOB_TRANSACTION = '0x3'
/** Further than this nobody's batches are behind their blocks (a sequencing window is 3,600). */
const MOST_BLOCKS = 400

interface L1Block {
  transactions: readonly { from: Hex; type: Hex }[]
}

/**
 * Goes on where the batches of the range that is proven are in blobs, and nowhere else: where whoever
 * L2 takes for its batcher sent blob transactions only, between the origin of the range and the L1 head.
 *
 * @throws CaseSetAside not applicable
 */
export async function expectBatchesInBlobs(t: CaseContext): Promise<void> {
  const { agreedNumber, l1HeadNumber } = await t.scene(provableRange)
  const first = numberToHex(agreedNumber + 1)
  const origin = Number(await ethCall(t.rpc, { to: L1_BLOCK, data: NUMBER }, first))
  const batcherHash = await ethCall(t.rpc, { to: L1_BLOCK, data: BATCHER }, first)
  const batcher = `0x${batcherHash.slice(-40)}`
  const count = l1HeadNumber - origin + 1
  if (count > MOST_BLOCKS) notApplicable(`The batches lie somewhere in ${count} blocks of L1.`)
  const types: Hex[] = []
  for (let number = origin; number <= l1HeadNumber; number += 1) {
    const block = await t.l1.result('eth_getBlockByNumber', [numberToHex(number), true])
    const { transactions } = block as L1Block
    types.push(...transactions.filter(({ from }) => from === batcher).map(({ type }) => type))
  }
  if (types.length === 0 || types.some((type) => type !== BLOB_TRANSACTION))
    notApplicable('Batches of this chain are in calldata: nothing is asked of the beacon API.')
}
