import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import { type ConsensusReceipt, decodeReceipt } from '../execution/receipt.ts'
import type { HintType, PreimageOracle } from '../oracle/preimage-oracle.ts'
import { readOrderedTrie } from '../trie/ordered-trie.ts'
import type { Hash } from '../types/bytes.ts'
import { decodeL1Header, type L1Header } from './l1-header.ts'

export type L1Receipt = Pick<ConsensusReceipt, 'logs'>

/** Where derivation reads L1. Every answer must be true to the hash asked for. */
export interface L1Source {
  header(hash: Hash): Promise<L1Header>
  /** EIP-2718 bytes, in block order. */
  transactions(blockHash: Hash): Promise<Uint8Array[]>
  /** In block order; of a transaction type that is not known as far as its logs can be read. */
  receipts(blockHash: Hash): Promise<L1Receipt[]>
  /** The 131,072 bytes of a blob that a transaction of `block` carries. */
  blob(versionedHash: Hash, block: L1Header): Promise<Uint8Array>
}

/** L1 as a proof program sees it: nothing but preimages. */
export function l1Source(oracle: PreimageOracle): L1Source {
  const header = async (hash: Hash) => {
    const bytes = await oracle.keccak(hash, { type: 'l1-block-header', data: hexToBytes(hash) })
    return decodeL1Header(hash, bytes)
  }
  const list = (root: Hash, type: HintType, blockHash: Hash) => {
    const hint = { type, data: hexToBytes(blockHash) }
    return readOrderedTrie(root, (node) => oracle.keccak(node, hint))
  }
  return {
    header,
    async transactions(blockHash) {
      const { transactionsRoot } = await header(blockHash)
      return list(transactionsRoot, 'l1-transactions', blockHash)
    },
    async receipts(blockHash) {
      const { receiptsRoot } = await header(blockHash)
      const receipts = await list(receiptsRoot, 'l1-receipts', blockHash)
      return receipts.map(readReceipt)
    },
    async blob(versionedHash, { timestamp }) {
      return (await oracle.blob(versionedHash, timestamp)).blob
    },
  }
}

/** OP spec, Derivation, "On Future-Proof Transaction Log Derivation": what cannot be read has no logs. */
export function readReceipt(bytes: Uint8Array): L1Receipt {
  try {
    return decodeReceipt(bytes)
  } catch (error) {
    if (error instanceof RollbedError) return { logs: [] }
    throw error
  }
}
