import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { decodeHeader } from '../execution/header.ts'
import type { PreimageOracle } from '../oracle/preimage-oracle.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { readOrderedTrie } from '../trie/ordered-trie.ts'
import type { Hash } from '../types/bytes.ts'
import type { L2Ancestor } from './check-span-batch.ts'
import { decodeL1Attributes } from './l1-attributes.ts'
import type { RollupConfig } from './rollup-config.ts'

/**
 * Looks up blocks before `tip` for createDerivation: back along parent hashes, then the L1 origin out
 * of the block's first transaction. Needed where a range starts in the middle of a span batch.
 */
export function l2Ancestors(
  oracle: PreimageOracle,
  config: RollupConfig,
  tip: { number: bigint; hash: Hash },
): (number: bigint) => Promise<L2Ancestor | undefined> {
  return async (number) => {
    const genesis = BigInt(config.genesis.l2.number)
    if (number < genesis || number > tip.number) return undefined
    let hash = tip.hash
    for (let at = tip.number; at > number; at--) hash = (await header(hash)).parentHash
    const l1OriginNumber =
      number === genesis ? BigInt(config.genesis.l1.number) : await originOf(hash)
    return { hash, l1OriginNumber }
  }

  async function header(hash: Hash) {
    const data = hexToBytes(hash)
    return decodeHeader(await oracle.keccak(hash, { type: 'l2-block-header', data }))
  }

  async function originOf(hash: Hash): Promise<bigint> {
    const { transactionsRoot } = await header(hash)
    const hint = { type: 'l2-transactions', data: hexToBytes(hash) } as const
    const [first] = await readOrderedTrie(transactionsRoot, (node) => oracle.keccak(node, hint))
    return decodeL1Attributes(decodeTransaction(first!).data).l1Origin.number
  }
}
