import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { L2Parent } from '../derivation/derivation.ts'
import { l2Parent } from '../derivation/l2-parent.ts'
import type { RollupConfig } from '../derivation/rollup-config.ts'
import { outputRoot } from '../execution/output-root.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { readOrderedTrie } from '../trie/ordered-trie.ts'
import type { Header } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { Transaction } from '../types/transaction.ts'
import { AgreedRootInvalid } from './claim.ts'
import { readL2Header } from './read-l2-header.ts'

/** The block a proof starts from. */
export interface AgreedHead {
  hash: Hash
  header: Header
  /** The same block as derivation sees it. */
  parent: L2Parent
}

/**
 * Finds the block under an output root. The root must be that of its header as a whole: a preimage
 * that pairs a real block with another state would put a root nobody holds into the journal.
 * @throws AgreedRootInvalid, PreimageMissing
 */
export async function loadAgreedHead(
  oracle: PreimageOracle,
  agreedOutputRoot: Hash,
  config: RollupConfig,
): Promise<AgreedHead> {
  const refuse = (why: string) => new AgreedRootInvalid(agreedOutputRoot, why)
  const data = hexToBytes(agreedOutputRoot)
  const preimage = await oracle.keccak(agreedOutputRoot, { type: 'starting-l2-output', data })
  // OP spec, Proposals: version ‖ stateRoot ‖ message passer root ‖ block hash, each of 32 bytes.
  if (preimage.length !== 128) throw refuse('is of no known version')
  const hash = bytesToHex(preimage.subarray(96))
  const header = await readL2Header(oracle, hash)
  if (outputRoot({ ...header, hash }) !== agreedOutputRoot)
    throw refuse(`does not belong to block ${hash}`)

  const { genesis } = config
  const isGenesis = header.number === BigInt(genesis.l2.number)
  if (isGenesis && hash !== genesis.l2.hash) throw refuse('is of the genesis of another chain')
  const transactions = await firstTransaction(oracle, hash, header.transactionsRoot)
  if (!isGenesis && transactions.length === 0) throw refuse('is of a block without L1 attributes')
  return { hash, header, parent: l2Parent(config, { hash, header, transactions }) }
}

/** The L1 attributes of a block; nothing in a block without transactions. */
async function firstTransaction(
  oracle: PreimageOracle,
  hash: Hash,
  transactionsRoot: Hash,
): Promise<Transaction[]> {
  const hint = { type: 'l2-transactions', data: hexToBytes(hash) } as const
  const all = await readOrderedTrie(transactionsRoot, (node) => oracle.keccak(node, hint))
  return all.slice(0, 1).map(decodeTransaction)
}
