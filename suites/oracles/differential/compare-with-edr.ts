import { bytesToHex } from '@ethereumjs/util'
import { createExecutor } from '#protocol/execution/create-executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { compareBlock, type EngineBlock } from './compare-block.ts'
import { EIP1559, executeLike } from './execute-like.ts'
import {
  CHAIN_ID,
  COINBASE,
  FEE_SLOTS,
  HISTORY_STORAGE,
  L1_BLOCK,
  randomAccounts,
} from './random-accounts.ts'
import { randomSource } from './random-source.ts'
import {
  type Expectation,
  expectationOf,
  feeParameters,
  randomSigned,
} from './random-transaction.ts'
import { startReferenceEdr } from './reference-edr.ts'
import { countBlock, emptyReport, type SeedReport } from './seed-report.ts'

const GENESIS_TIME = 1_700_000_000n
const GAS_LIMIT = 30_000_000n
const BASE_FEE = 1_000_000_000n
/** The newest fork of EDR's OP chain. */
const FORK = 'isthmus'

/**
 * Runs the same random blocks through our executor and through EDR and compares which transactions are
 * valid, their receipts, the base fees and the state root of every block.
 *
 * What EDR 0.22 cannot, or does otherwise, on its OP chain:
 * - It takes no deposits: the fees of L1 are the same for a whole seed, and every transaction has a signature.
 * - It takes no transactions of type 4 (EIP-7702).
 * - It writes no block hashes into EIP-2935's contract: there is none.
 * - A transaction whose fee is below the base fee ends `hardhat_mine` with an error, and its pool takes the
 *   second of two transactions with one nonce: no rule is broken on purpose.
 * - It refuses a creation without any data.
 * - Receipts of failed creations name no address (geth and anvil name it).
 */
export async function compareWithEdr(
  seed: number,
  size: { blocks: number; transactions: number },
): Promise<SeedReport> {
  const random = randomSource(seed)
  const accounts = randomAccounts(random)
  // Its code would let anybody change the fees, and no deposit would set them right again.
  accounts.alloc[L1_BLOCK] = { nonce: 1n, code: '0x00', storage: l1Fees(random) }
  delete accounts.alloc[HISTORY_STORAGE]
  const store = new MemoryStore()
  const genesis = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, accounts.alloc),
    fork: FORK,
    timestamp: GENESIS_TIME,
    gasLimit: GAS_LIMIT,
    baseFeePerGas: BASE_FEE,
    eip1559: EIP1559,
  })
  const executor = await createExecutor({ chainId: BigInt(CHAIN_ID), fork: FORK })
  const edr = await startReferenceEdr({
    chainId: CHAIN_ID,
    alloc: accounts.alloc,
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    gasLimit: GAS_LIMIT,
    baseFeePerGas: BASE_FEE,
  })
  const report = emptyReport()
  const first = await edr.request<EngineBlock>('eth_getBlockByNumber', ['0x0', false])
  if (first.stateRoot !== genesis.header.stateRoot) report.differences.push('the genesis state')
  const hashes = new Map<bigint, Hash>()
  let parent = genesis.header
  for (let index = 0; index < size.blocks && report.differences.length === 0; index++) {
    const baseFee = nextBaseFee(parent, FORK)
    const expectation = await expectationOf(edr, { random, accounts, baseFee, isPlain: true })
    const raws = Array.from({ length: size.transactions }, () => randomSigned(expectation))
    const block = await edr.makeBlock(raws)
    hashes.set(BigInt(block.number) - 1n, block.parentHash)
    const ours = await executeLike(executor, store, parent, block, raws, hashes)
    const theirs = { engine: 'EDR', block, receipts: await edr.receipts(block) }
    const differences = compareBlock(withoutFailedAddresses(ours), theirs, raws)
    if (BigInt(block.baseFeePerGas) !== baseFee) differences.push('the base fee')
    if (block.stateRoot !== ours.header.stateRoot) differences.push('the state root')
    const where = `seed ${seed} block ${index + 1}`
    report.differences.push(...differences.map((difference) => `${where}: ${difference}`))
    countBlock(report, ours, raws.length)
    parent = ours.header
  }
  return report
}

function withoutFailedAddresses(block: Block): Block {
  const receipts = block.receipts.map((receipt) =>
    receipt.status === 1 ? receipt : { ...receipt, contractAddress: null },
  )
  return { ...block, receipts }
}

function l1Fees(random: Expectation['random']): Record<Hash, Hash> {
  const words = feeParameters(random)
  return Object.fromEntries(
    FEE_SLOTS.map((slot, index) => [
      `0x${slot.toString(16).padStart(64, '0')}`,
      bytesToHex(words[index]!),
    ]),
  )
}
