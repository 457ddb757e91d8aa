import { keccak256 } from 'viem'
import { createExecutor } from '#protocol/execution/create-executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Hash, Hex } from '#protocol/types/bytes'
import { canonicalRoot } from './canonical-root.ts'
import { compareBlock, type EngineBlock, type EngineReceipt } from './compare-block.ts'
import { EIP1559, executeLike } from './execute-like.ts'
import { CHAIN_ID, COINBASE, randomAccounts } from './random-accounts.ts'
import { randomSource } from './random-source.ts'
import { attributesDeposit, expectationOf, randomTransaction } from './random-transaction.ts'
import { type ReferenceAnvil, startReferenceAnvil } from './reference-anvil.ts'
import { countBlock, emptyReport, type SeedReport } from './seed-report.ts'

const GENESIS_TIME = 1_700_000_000n
/** anvil knows Isthmus only. */
const FORK = 'isthmus'

/**
 * Runs the same random blocks through our executor and through anvil and compares which transactions
 * are valid, their receipts, and every account and storage value after the block.
 */
export async function compareSeed(
  seed: number,
  size: { blocks: number; transactions: number; rootEvery: number },
): Promise<SeedReport> {
  const random = randomSource(seed)
  const accounts = randomAccounts(random)
  const store = new MemoryStore()
  const stateRoot = await writeAlloc(store, accounts.alloc)
  const genesis = genesisBlock({
    store,
    stateRoot,
    fork: FORK,
    timestamp: GENESIS_TIME,
    gasLimit: 30_000_000n,
    baseFeePerGas: 1_000_000_000n,
    eip1559: EIP1559,
  })
  const executor = await createExecutor({ chainId: BigInt(CHAIN_ID), fork: FORK })
  const report = emptyReport()
  const anvil = await startReferenceAnvil({
    chainId: CHAIN_ID,
    alloc: accounts.alloc,
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    baseFeePerGas: 1_000_000_000n,
  })
  try {
    const hashes = new Map<bigint, Hash>()
    let parent = genesis.header
    for (let index = 0; index < size.blocks && report.differences.length === 0; index++) {
      const baseFee = nextBaseFee(parent, FORK)
      const expectation = await expectationOf(anvil, { random, accounts, baseFee })
      const raws = [attributesDeposit(expectation)]
      while (raws.length < size.transactions) raws.push(randomTransaction(expectation))
      const theirs = await reference(anvil, raws, baseFee)
      hashes.set(BigInt(theirs.block.number) - 1n, theirs.block.parentHash)
      const ours = await executeLike(executor, store, parent, theirs.block, raws, hashes)
      const where = `seed ${seed} block ${index + 1}`
      report.differences.push(
        ...compareBlock(ours, theirs, raws).map((difference) => `${where}: ${difference}`),
      )
      if ((index + 1) % size.rootEvery === 0 || index + 1 === size.blocks) {
        const expected = await canonicalRoot(await anvil.accounts())
        const { stateRoot } = ours.header
        if (stateRoot !== expected)
          report.differences.push(`${where}: state ${stateRoot} instead of ${expected}`)
      }
      countBlock(report, ours, raws.length)
      parent = ours.header
    }
  } finally {
    await anvil.stop()
  }
  return report
}

interface ReferenceBlock {
  engine: string
  block: EngineBlock
  receipts: EngineReceipt[]
}

/**
 * anvil's block of the transactions it accepts. A refused one leaves its sender warm for the next
 * (op-revm), so the block is made again without it; only without the first, for what comes after it
 * may have been refused because of that.
 */
async function reference(
  anvil: ReferenceAnvil,
  raws: readonly Hex[],
  baseFee: bigint,
): Promise<ReferenceBlock> {
  let block = await anvil.makeBlock(raws, baseFee)
  let accepted = raws
  while (block.transactions.length !== accepted.length) {
    const included = new Set(block.transactions)
    const first = accepted.findIndex((raw) => !included.has(keccak256(raw)))
    accepted = accepted.filter((_, index) => index !== first)
    block = await anvil.replaceBlock(accepted, baseFee)
  }
  return { engine: 'anvil', block, receipts: await anvil.receipts() }
}
