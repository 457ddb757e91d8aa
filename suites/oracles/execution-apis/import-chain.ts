import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hardfork } from '@ethereumjs/common'
import { createExecutor } from '#protocol/execution/create-executor'
import { writeAlloc } from '#protocol/execution/genesis'
import { decodeHeader, encodeHeader } from '#protocol/execution/header'
import { MemoryStore } from '#protocol/trie/memory-store'
import { orderedTrieRoot } from '#protocol/trie/ordered-trie'
import type { Hash } from '#protocol/types/bytes'
import type { BlockResult } from './block-result.ts'
import { executeEarlyBlock } from './execute-early-block.ts'
import { executePragueBlock } from './execute-prague-block.ts'
import { ImportedChain } from './imported-chain.ts'
import { parseGenesis } from './parse-genesis.ts'
import { type L1Block, readChainFile } from './read-chain-file.ts'

export interface ChainReport {
  /** Blocks before Prague, and from Prague on. */
  early: number
  executed: number
  /** Transactions that our executor ran, by type. */
  transactions: Record<number, number>
  head: Hash | undefined
  differences: string[]
}

/**
 * Imports the test chain of ethereum/execution-apis and compares every block with its header. Stops
 * at the first block that differs, because what follows has no state to stand on.
 * @param directory holds genesis.json and chain.rlp
 */
export async function importChain(
  directory: string,
): Promise<{ report: ChainReport; chain: ImportedChain }> {
  const genesis = parseGenesis(JSON.parse(readFileSync(join(directory, 'genesis.json'), 'utf8')))
  const blocks = readChainFile(readFileSync(join(directory, 'chain.rlp')))
  const { chainId } = genesis
  const store = new MemoryStore()
  const executor = await createExecutor({ chainId, fork: 'isthmus' })
  const report: ChainReport = {
    early: 0,
    executed: 0,
    transactions: {},
    head: undefined,
    differences: [],
  }
  let parentRoot = await writeAlloc(store, genesis.alloc)
  const block0 = genesis.block(parentRoot, blocks[0]!.header.parentHash)
  const chain = new ImportedChain(BigInt(chainId), store, block0)
  for (const block of blocks) {
    const hardfork = genesis.hardfork(block.header)
    const isOurs = hardfork === Hardfork.Prague
    const result = isOurs
      ? await executePragueBlock(block, { executor, store, parentRoot })
      : await executeEarlyBlock(block, { chainId, store, parentRoot, hardfork })
    report.differences.push(...compare(block, result, report.head))
    if (isOurs) report.differences.push(...compareCodec(block))
    if (report.differences.length > 0) break
    report[isOurs ? 'executed' : 'early']++
    for (const { type } of isOurs ? block.transactions : []) {
      report.transactions[type] = (report.transactions[type] ?? 0) + 1
    }
    report.head = block.hash
    parentRoot = result.stateRoot
    const { header, hash, size } = block
    const transactions = block.transactions.map(({ transaction }) => transaction)
    chain.append({ header, hash, size, transactions, receipts: result.receipts })
  }
  return { report, chain }
}

function compare(
  { header, ...block }: L1Block,
  { receipts: _, ...result }: BlockResult,
  parent?: Hash,
): string[] {
  const expected: Record<string, unknown> = { ...header }
  const actual = {
    ...result,
    ...(parent && { parentHash: parent }),
    transactionsRoot: orderedTrieRoot(block.transactions.map(({ transaction }) => transaction.raw)),
    ...(block.hasWithdrawals && {
      withdrawalsRoot: orderedTrieRoot(block.withdrawals.map(({ raw }) => raw)),
    }),
  }
  return Object.entries(actual)
    .filter(([field, value]) => value !== expected[field])
    .map(([field, value]) => `block ${header.number}: ${field} ${value}, not ${expected[field]}`)
}

/** A Prague header is one of ours: both ways through our codec. */
function compareCodec({ encodedHeader, header }: L1Block): string[] {
  const again = Buffer.from(encodeHeader(decodeHeader(encodedHeader)))
  return again.equals(encodedHeader) ? [] : [`block ${header.number}: our header codec`]
}
