import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { decodeL1Attributes } from '../derivation/l1-attributes.ts'
import type { RollupConfig, SystemConfig } from '../derivation/rollup-config.ts'
import { systemConfigFromBlock } from '../derivation/system-config-from-block.ts'
import { outputRoot } from '../execution/output-root.ts'
import type { Hash, Header } from '../execution/types.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { readOrderedTrie } from '../trie/ordered-trie.ts'
import { AgreedRootInvalid } from './claim.ts'
import { readL2Header } from './read-l2-header.ts'

/** The block a proof starts from, and what derivation must know of it. */
export interface AgreedHead {
  hash: Hash
  header: Header
  l1Origin: { number: bigint; hash: Hash }
  /** Position in its epoch. */
  sequenceNumber: bigint
  systemConfig: SystemConfig
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
  const preimage = await oracle.keccak(agreedOutputRoot, {
    type: 'starting-l2-output',
    data: hexToBytes(agreedOutputRoot),
  })
  // OP spec, Proposals: version ‖ stateRoot ‖ message passer root ‖ block hash, each of 32 bytes.
  if (preimage.length !== 128)
    throw new AgreedRootInvalid(agreedOutputRoot, 'is of no known version')
  const hash = bytesToHex(preimage.subarray(96))
  const header = await readL2Header(oracle, hash)
  if (outputRoot({ ...header, hash }) !== agreedOutputRoot)
    throw new AgreedRootInvalid(agreedOutputRoot, `does not belong to block ${hash}`)

  if (header.number === BigInt(config.genesis.l2.number))
    return genesisHead(agreedOutputRoot, hash, header, config)
  const attributes = await attributesData(oracle, hash, header.transactionsRoot)
  const { l1Origin, sequenceNumber } = decodeL1Attributes(attributes)
  const systemConfig = systemConfigFromBlock(header, attributes, config.fork)
  return { hash, header, l1Origin, sequenceNumber, systemConfig }
}

/** The genesis block has no L1 attributes; its configuration is that of the chain. */
function genesisHead(
  root: Hash,
  hash: Hash,
  header: Header,
  { genesis }: RollupConfig,
): AgreedHead {
  if (hash !== genesis.l2.hash)
    throw new AgreedRootInvalid(root, 'does not belong to the genesis block of this chain')
  return {
    hash,
    header,
    l1Origin: { number: BigInt(genesis.l1.number), hash: genesis.l1.hash },
    sequenceNumber: 0n,
    systemConfig: genesis.systemConfig,
  }
}

/** Call data of a block's first transaction; empty when it has none, which no attributes are. */
async function attributesData(
  oracle: PreimageOracle,
  hash: Hash,
  transactionsRoot: Hash,
): Promise<Uint8Array> {
  const hint = { type: 'l2-transactions', data: hexToBytes(hash) } as const
  const [first] = await readOrderedTrie(transactionsRoot, (node) => oracle.keccak(node, hint))
  return first ? decodeTransaction(first).data : new Uint8Array(0)
}
