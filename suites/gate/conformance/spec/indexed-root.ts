import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { Hex } from '../wire/hex.ts'

/** Root of the trie of transactions or receipts by RLP index, by @ethereumjs/mpt (RPC-BLK-11, -13). */
export async function indexedRoot(values: readonly Hex[]): Promise<Hex> {
  const trie = await createMPT()
  for (const [index, encoded] of values.entries()) {
    await trie.put(RLP.encode(index), hexToBytes(encoded))
  }
  return bytesToHex(trie.root())
}
