import { hexToBytes } from '@ethereumjs/util'
import type { Executor } from '#protocol/execution/executor'
import { TransactionInvalid } from '#protocol/execution/transaction-invalid'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { MemoryStore } from '#protocol/trie/memory-store'
import type { Block } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { EngineBlock } from './compare-block.ts'

/** Base's values of Isthmus: extraData holds them. */
export const EIP1559 = { denominator: 250, elasticity: 6 }

/**
 * Our block of those of `raws` that our executor accepts, with the header values of the other engine's `block`.
 * @param hashes of the blocks before it, as the other engine has them
 */
export async function executeLike(
  executor: Executor,
  store: MemoryStore,
  parent: Block['header'],
  block: EngineBlock,
  raws: readonly Hex[],
  hashes: Map<bigint, Hash>,
): Promise<Block> {
  const open = await executor.openBlock({
    store,
    parent,
    parentHash: block.parentHash,
    blockHash: async (number) => hashes.get(number),
    attributes: {
      timestamp: BigInt(block.timestamp),
      prevRandao: block.mixHash,
      feeRecipient: block.miner,
      parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
      gasLimit: BigInt(block.gasLimit),
      eip1559: EIP1559,
      minBaseFee: 0n,
      transactions: [],
    },
  })
  for (const raw of raws) {
    try {
      await open.execute(decodeTransaction(hexToBytes(raw)))
    } catch (error) {
      if (!(error instanceof TransactionInvalid)) throw error
    }
  }
  return open.seal()
}
