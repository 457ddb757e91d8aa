import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { EMPTY_TRIE_ROOT, KECCAK_EMPTY } from '#protocol/crypto/keccak'
import { decodeAccount } from '#protocol/execution/account-codec'
import { type Child, decodeNode, isHash, type Node } from '#protocol/trie/node'
import type { Hash } from '#protocol/types/bytes'

/** What a hash stands for follows from where it was found: never guessed from the bytes. */
export type ValueKind = 'account node' | 'storage node' | 'code'

/** Visits every hash in an encoded trie node; accounts lead on to their storage and code. */
export function visitReferences(
  encoded: Uint8Array,
  kind: Exclude<ValueKind, 'code'>,
  visit: (hash: Hash, kind: ValueKind) => void,
): void {
  const visitNode = (node: Node) => {
    if (node.kind === 'branch') for (const child of node.children) visitChild(child)
    else if (node.kind === 'extension') visitChild(node.child)
    else if (kind === 'account node') visitAccount(node.value, visit)
  }
  const visitChild = (child: Child) => {
    if (isHash(child)) visit(bytesToHex(child), kind)
    else if (child) visitNode(child)
  }
  visitNode(decodeNode(encoded))
}

function visitAccount(value: Uint8Array, visit: (hash: Hash, kind: ValueKind) => void): void {
  const { storageRoot, codeHash } = decodeAccount(value)
  if (storageRoot !== EMPTY_TRIE_ROOT) visit(storageRoot, 'storage node')
  if (codeHash !== KECCAK_EMPTY) visit(codeHash, 'code')
}
