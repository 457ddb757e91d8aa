import { createHash } from 'node:crypto'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { EMPTY_TRIE_ROOT } from '../../crypto/keccak.ts'
import { encodeHeader, headerHash } from '../../execution/header.ts'
import { logsBloom } from '../../execution/logs-bloom.ts'
import { encodeReceipt } from '../../execution/receipt.ts'
import { toVersionedHash } from '../../oracle/blob-preimages.ts'
import {
  type BlobSidecar,
  PreimageMissing,
  type PreimageOracle,
} from '../../oracle/preimage-oracle.ts'
import { orderedTrieNodes } from '../../trie/ordered-trie.ts'
import type { Header, Log } from '../../types/block.ts'
import type { Hash, Hex } from '../../types/bytes.ts'
import type { L1BlockRef } from '../batch-validity.ts'
import { encodeBatcherData, type Frame } from '../frame.ts'

const ZERO: Hash = `0x${'00'.repeat(32)}`
const L1_BLOCK_TIME = 12n

export const batcherAccount: PrivateKeyAccount = privateKeyToAccount(`0x${'ba'.repeat(32)}`)

export interface L1Content {
  transactions?: Uint8Array[]
  logs?: Log[]
  timestamp?: bigint
  /** Makes a difference between blocks that are the same but for it. */
  extraData?: Hex
}

export interface ScriptedL1 {
  /** The only way in: real headers and tries under their hashes. */
  oracle: PreimageOracle
  /** Adds a block. The first has number 0. */
  mine(content?: L1Content): L1BlockRef
  at(number: number): L1BlockRef
  head(): L1BlockRef
  /** Makes a blob known. @returns its versioned hash, as if its commitment were a hash */
  addBlob(blob: Uint8Array): Hash
  /** Takes blocks off the end. */
  rewind(toNumber: number): void
}

/** An L1 in memory, block by block as a test says. @throws PreimageMissing; its oracle does */
export function scriptedL1(genesisTime: bigint): ScriptedL1 {
  const preimages = new Map<Hash, Uint8Array>()
  const blobs = new Map<Hash, BlobSidecar>()
  const blocks: L1BlockRef[] = []
  const trie = (values: Uint8Array[]) => {
    if (values.length === 0) return EMPTY_TRIE_ROOT
    const { root, nodes } = orderedTrieNodes(values)
    for (const [hash, node] of nodes) preimages.set(hash, node)
    return root
  }
  const find = (hash: Hash) => {
    const value = preimages.get(hash)
    if (!value) throw new PreimageMissing(hash)
    return value
  }

  const l1: ScriptedL1 = {
    oracle: {
      peek: (hash) => preimages.get(hash),
      keccak: async (hash) => find(hash),
      local: async (identifier) => find(`0x${identifier}`),
      async blob(hash) {
        const sidecar = blobs.get(hash)
        if (!sidecar) throw new PreimageMissing(hash)
        return sidecar
      },
    },
    mine({ transactions = [], logs = [], timestamp, extraData = '0x' } = {}) {
      const parent = blocks.at(-1)
      const bloom = bytesToHex(logsBloom(logs))
      // All logs in the first of two receipts: the index of a log counts over the block.
      const receipts = logs.length === 0 ? [] : [logs.slice(0, 1), logs.slice(1)]
      const header: Header = {
        parentHash: parent?.hash ?? ZERO,
        sha3Uncles: ZERO,
        miner: `0x${'00'.repeat(20)}`,
        stateRoot: ZERO,
        transactionsRoot: trie(transactions),
        receiptsRoot: trie(
          receipts.map((part) =>
            encodeReceipt({
              type: 2,
              status: 1,
              cumulativeGasUsed: 21_000n,
              logsBloom: bytesToHex(logsBloom(part)),
              logs: part,
            }),
          ),
        ),
        logsBloom: bloom,
        difficulty: 0n,
        number: BigInt(blocks.length),
        gasLimit: 30_000_000n,
        gasUsed: 0n,
        timestamp: timestamp ?? (parent ? parent.timestamp + L1_BLOCK_TIME : genesisTime),
        extraData,
        mixHash: bytesToHex(new Uint8Array(32).fill(blocks.length)),
        nonce: `0x${'00'.repeat(8)}`,
        baseFeePerGas: 1_000_000_000n,
        withdrawalsRoot: EMPTY_TRIE_ROOT,
        blobGasUsed: 0n,
        excessBlobGas: 0n,
        parentBeaconBlockRoot: bytesToHex(new Uint8Array(32).fill(0x80 + blocks.length)),
        requestsHash: ZERO,
      }
      const hash = headerHash(header)
      preimages.set(hash, encodeHeader(header))
      const block = { number: header.number, hash, timestamp: header.timestamp }
      blocks.push(block)
      return block
    },
    addBlob(blob) {
      const commitment = Uint8Array.from(createHash('sha384').update(blob).digest())
      const hash = toVersionedHash(commitment)
      blobs.set(hash, { blob, commitment, proof: new Uint8Array(48) })
      return hash
    },
    at: (number) => blocks[number]!,
    head: () => blocks.at(-1)!,
    rewind: (toNumber) => void blocks.splice(toNumber + 1),
  }
  l1.mine()
  return l1
}

/** A signed transaction to the inbox that carries these frames, or any bytes. */
export async function batcherTransaction(
  inbox: Hex,
  content: readonly Frame[] | Uint8Array,
  account: PrivateKeyAccount = batcherAccount,
): Promise<Uint8Array> {
  const data = content instanceof Uint8Array ? content : encodeBatcherData(content)
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: 1337,
    nonce: 0,
    to: inbox,
    gas: 1_000_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 0n,
    data: bytesToHex(data),
  })
  return hexToBytes(signed)
}
