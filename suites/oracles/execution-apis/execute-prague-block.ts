import { createHash } from 'node:crypto'
import { bytesToHex, concatBytes } from '@ethereumjs/util'
import type { BlockEnvironment, Executor, Scratch } from '#protocol/execution/executor'
import { genesisBlock } from '#protocol/execution/genesis'
import { headerAttributes } from '#protocol/execution/header-attributes'
import { BASE_FEE_VAULT, SYSTEM_ADDRESS } from '#protocol/execution/predeploys'
import { encodeReceipt } from '#protocol/execution/receipt'
import { hashedKey } from '#protocol/trie/hashed-key'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import { Trie } from '#protocol/trie/trie'
import type { Receipt } from '#protocol/types/block'
import type { Address, Hash } from '#protocol/types/bytes'
import type { StateStore } from '#protocol/types/state'
import type { BlockResult } from './block-result.ts'
import { GAS_PER_BLOB } from './early-transaction.ts'
import type { L1Block } from './read-chain-file.ts'

const GWEI = 10n ** 9n
const EIP1559 = { denominator: 250, elasticity: 6 }
/** EIP-7002 (type 1) and EIP-7251 (type 2). */
const REQUEST_CONTRACTS: readonly [number, Address][] = [
  [1, '0x00000961ef480eb55e80d19ad83579a64c007002'],
  [2, '0x0000bbddc7ce488642fb579f8b00f3a590007251'],
]

export interface PragueOptions {
  executor: Executor
  store: StateStore
  parentRoot: Hash
}

/**
 * Executes a block with our executor. Around it stands what L1 has and L2 has not: blob fees,
 * withdrawals, requests; and the base fee is burnt.
 */
export async function executePragueBlock(
  { header, transactions, withdrawals }: L1Block,
  { executor, store, parentRoot }: PragueOptions,
): Promise<BlockResult> {
  const block = await executor.openBlock({
    store,
    parent: parentHeader(store, parentRoot, header.number - 1n),
    parentHash: header.parentHash,
    attributes: {
      ...headerAttributes(header),
      eip1559: EIP1559,
      minBaseFee: 0n,
      transactions: [],
    },
    blockHash: async () => undefined,
    baseFeePerGas: header.baseFeePerGas,
  })
  const receipts: Receipt[] = []
  for (const { type, transaction, blobHashes } of transactions) {
    // Of what the executor reports, L1 has no part that pays for L1.
    const { l1: _, ...receipt }: Receipt = await block.execute(transaction)
    receipts.push({ ...receipt, type: type as Receipt['type'] })
    if (blobHashes.length === 0) continue
    const balance = await block.state.getBalance(transaction.from)
    const fee = BigInt(blobHashes.length) * GAS_PER_BLOB * block.environment.blobBaseFee
    await block.state.setBalance(transaction.from, balance - fee)
  }
  const sealed = await block.checkpoint()
  const scratch = executor.openScratch({ store, stateRoot: sealed.stateRoot })
  for (const { address, gwei } of withdrawals) {
    await scratch.setBalance(address, (await scratch.getBalance(address)) + gwei * GWEI)
  }
  const requestsHash = await takeRequests(scratch, block.environment)
  return {
    stateRoot: without([BASE_FEE_VAULT, SYSTEM_ADDRESS], await scratch.commit(), store),
    receipts,
    receiptsRoot: orderedTrieRoot(receipts.map((receipt) => encodeReceipt(receipt))),
    gasUsed: sealed.gasUsed,
    logsBloom: sealed.logsBloom,
    requestsHash,
  }
}

/** EIP-7685: calls the request contracts at the block's end and hashes what they answer. */
async function takeRequests(scratch: Scratch, environment: BlockEnvironment): Promise<Hash> {
  const hashes: Uint8Array[] = []
  for (const [type, to] of REQUEST_CONTRACTS) {
    const { output } = await scratch.call(
      { from: SYSTEM_ADDRESS, to, data: new Uint8Array(0), value: 0n, gas: 30_000_000n },
      { environment, validate: false },
    )
    if (output.length > 0) hashes.push(sha256(concatBytes(Uint8Array.of(type), output)))
  }
  return bytesToHex(sha256(concatBytes(...hashes)))
}

/** The state without accounts that only L2 has, or a call in place of a system call leaves. */
function without(addresses: readonly Address[], root: Hash, store: StateStore): Hash {
  const trie = new Trie(store, root)
  for (const address of addresses) trie.delete(hashedKey(address))
  return trie.commit((hash, node) => store.put(hash, node))
}

/** With a base fee given, of a parent only number and state matter. */
function parentHeader(store: StateStore, stateRoot: Hash, number: bigint) {
  return genesisBlock({
    store,
    stateRoot,
    fork: 'isthmus',
    timestamp: 0n,
    gasLimit: 0n,
    baseFeePerGas: 0n,
    eip1559: EIP1559,
    overrides: { number },
  }).header
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}
