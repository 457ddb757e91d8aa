import { expect, test } from 'vitest'
import { encodeHeader, headerHash } from '../execution/header.ts'
import { PreimageMissing, type PreimageOracle } from '../oracle/preimage-oracle.ts'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { orderedTrieNodes } from '../trie/ordered-trie.ts'
import type { Header } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import { encodeL1Attributes } from './l1-attributes.ts'
import { l2Ancestors } from './l2-ancestors.ts'
import { l2Parent } from './l2-parent.ts'
import type { RollupConfig } from './rollup-config.ts'

const ZERO: Hash = `0x${'00'.repeat(32)}`
const L1_HASH: Hash = `0x${'11'.repeat(32)}`
const systemConfig: RollupConfig['genesis']['systemConfig'] = {
  batcherAddress: `0x${'ba'.repeat(20)}`,
  gasLimit: 30_000_000n,
  scalar: `0x01${'00'.repeat(31)}`,
  eip1559Denominator: 50,
  eip1559Elasticity: 6,
  operatorFeeScalar: 1,
  operatorFeeConstant: 2n,
  minBaseFee: 7n,
  daFootprintGasScalar: 148,
}
const preimages = new Map<Hash, Uint8Array>()
const oracle: PreimageOracle = {
  peek: (hash) => preimages.get(hash),
  async keccak(hash) {
    const value = preimages.get(hash)
    if (!value) throw new PreimageMissing(hash)
    return value
  },
  local: () => Promise.reject(new PreimageMissing('local')),
  blob: () => Promise.reject(new PreimageMissing('blob')),
}

/** Blocks 0 to 4; block n has L1 origin 10 + n and sequence number n. */
const blocks: ReturnType<typeof makeBlock>[] = []
for (let number = 0; number < 5; number++) {
  blocks.push(makeBlock(number, blocks.at(-1)?.hash ?? ZERO))
}
const config = {
  fork: 'jovian',
  genesis: {
    l1: { number: 10, hash: L1_HASH },
    l2: { number: 0, hash: blocks[0]!.hash },
    systemConfig,
  },
} as RollupConfig

test.each([0, 1, 3, 4])(
  'given block %i up to the tip, its hash and L1 origin are found',
  async (number) => {
    const ancestor = l2Ancestors(oracle, config, { number: 4n, hash: blocks[4]!.hash })
    expect(await ancestor(BigInt(number))).toEqual({
      hash: blocks[number]!.hash,
      l1OriginNumber: BigInt(10 + number),
    })
  },
)

test.each([-1n, 5n])('given number %s, there is no such ancestor', async (number) => {
  const ancestor = l2Ancestors(oracle, config, { number: 4n, hash: blocks[4]!.hash })
  expect(await ancestor(number)).toBeUndefined()
})

test('given a block, derivation can go on from it with the configuration it tells', () => {
  const { hash, header, raw } = blocks[3]!
  expect(l2Parent(config, { hash, header, transactions: raw.map(decodeTransaction) })).toEqual({
    number: 3n,
    hash,
    timestamp: 1006n,
    l1Origin: { number: 13n, hash: L1_HASH },
    sequenceNumber: 3n,
    systemConfig,
  })
})

test('given the genesis block, the configuration of the chain holds', () => {
  const { hash, header } = blocks[0]!
  expect(l2Parent(config, { hash, header, transactions: [] })).toEqual({
    number: 0n,
    hash,
    timestamp: 1000n,
    l1Origin: { number: 10n, hash: L1_HASH },
    sequenceNumber: 0n,
    systemConfig,
  })
})

function makeBlock(
  number: number,
  parentHash: Hash,
): { hash: Hash; header: Header; raw: Uint8Array[] } {
  const l1 = {
    number: BigInt(10 + number),
    timestamp: 0n,
    baseFee: 1n,
    blobBaseFee: 1n,
    hash: L1_HASH,
  }
  const sequenceNumber = BigInt(number)
  const raw =
    number === 0 ? [] : [encodeL1Attributes({ fork: 'jovian', l1, sequenceNumber, systemConfig })]
  const { root, nodes } = orderedTrieNodes(raw)
  for (const [hash, node] of nodes) preimages.set(hash, node)
  const header: Header = {
    parentHash,
    sha3Uncles: ZERO,
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: ZERO,
    transactionsRoot: root,
    receiptsRoot: ZERO,
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: 0n,
    number: BigInt(number),
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: BigInt(1000 + 2 * number),
    // OP spec, Jovian: version 1, denominator 50, elasticity 6, minimum base fee 7.
    extraData: '0x0100000032000000060000000000000007',
    mixHash: ZERO,
    nonce: `0x${'00'.repeat(8)}`,
    baseFeePerGas: 1n,
    withdrawalsRoot: ZERO,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: ZERO,
    requestsHash: ZERO,
  }
  const hash = headerHash(header)
  preimages.set(hash, encodeHeader(header))
  return { hash, header, raw }
}
