import type { ChainView } from '#devnet/l2/node/chain-view'
import { type ValueKind, visitReferences } from '#devnet/l2/node/state/visit-references'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'

/** Blocks that an L1 begins with, and all that their states hold. */
export interface L1Beginning {
  /** From genesis on. */
  blocks: readonly Block[]
  /** Of genesis, whose header names an empty one. */
  genesisRoot: Hash
  states: StateSource
}

/** An L1 as it is now, for others to begin from; none of them changes it. */
export function l1Beginning(l1: ChainView): L1Beginning {
  const count = Number(l1.latest().header.number) + 1
  const blocks = Array.from({ length: count }, (_, number) => l1.blockByNumber(BigInt(number))!)
  const states = new MemoryStore()
  const copy = (hash: Hash, kind: ValueKind): void => {
    const value = l1.store.get(hash)
    if (!value || states.get(hash)) return
    states.put(hash, value)
    if (kind !== 'code') visitReferences(value, kind, copy)
  }
  for (const block of blocks) copy(l1.stateRootOf(block), 'account node')
  return { blocks, genesisRoot: l1.stateRootOf(blocks[0]!), states }
}
