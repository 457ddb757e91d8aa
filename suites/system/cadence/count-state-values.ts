import { decode } from '@ethereumjs/rlp'
import { bytesToHex } from '@ethereumjs/util'
import type { Hash } from '#protocol/types/bytes'
import type { StateSource } from '#protocol/types/state'

/** Values that one state consists of: every hash in it that the store knows. */
export function countStateValues(store: StateSource, root: Hash): number {
  const found = new Set<Hash>()
  const visit = (hash: Hash) => {
    const value = store.get(hash)
    if (!value || found.has(hash)) return
    found.add(hash)
    // Nodes are lists; code does not begin like one.
    if (value[0]! >= 0xc0) search(decode(value))
  }
  const search = (item: unknown) => {
    if (Array.isArray(item)) for (const one of item) search(one)
    else if (item instanceof Uint8Array && item.length === 32) visit(bytesToHex(item))
    else if (item instanceof Uint8Array && item.length > 60) search(decode(item))
  }
  visit(root)
  return found.size
}
