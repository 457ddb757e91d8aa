import { hexToBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { TRACE_JOBS } from '#devnet/l2/node/rpc/traces/trace-jobs'
import type { TraceOptions } from '#devnet/l2/node/rpc/traces/trace-options'
import { createExecutor } from '#protocol/execution/create-executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { nextBaseFee } from '#protocol/execution/next-base-fee'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Header } from '#protocol/types/block'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { EngineBlock } from '../differential/compare-block.ts'
import { CHAIN_ID, COINBASE, randomAccounts } from '../differential/random-accounts.ts'
import { randomSource } from '../differential/random-source.ts'
import {
  attributesDeposit,
  type Expectation,
  randomTransaction,
} from '../differential/random-transaction.ts'
import { type ReferenceAnvil, startReferenceAnvil } from '../differential/reference-anvil.ts'

/** anvil knows Isthmus only. */
const FORK = 'isthmus'
const EIP1559 = { denominator: 250, elasticity: 6 }
const BASE_FEE = 1_000_000_000n
const GENESIS_TIME = 1_700_000_000n

/** One random block in both engines, ready to be traced. */
export interface TracedBlock {
  /** Of the transactions that both can trace. */
  hashes: Hash[]
  /** What our tracer says of each transaction. */
  ours(options: TraceOptions): Promise<unknown[]>
  /** What anvil says of it. */
  theirs(options: Record<string, unknown>): Promise<unknown[]>
  /** What its `trace_transaction` says. */
  theirFlatTraces(): Promise<unknown[]>
  stop(): Promise<void>
}

/** Makes a block of random transactions, deposits among them, in anvil and in our executor. */
export async function makeTracedBlock(seed: number, size: number): Promise<TracedBlock> {
  const random = randomSource(seed)
  const accounts = randomAccounts(random)
  const store = new MemoryStore()
  const { header: parent } = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, accounts.alloc),
    fork: FORK,
    timestamp: GENESIS_TIME,
    gasLimit: 30_000_000n,
    baseFeePerGas: BASE_FEE,
    eip1559: EIP1559,
  })
  const anvil = await startReferenceAnvil({
    chainId: CHAIN_ID,
    alloc: accounts.alloc,
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    baseFeePerGas: BASE_FEE,
    stepsTracing: true,
  })
  const baseFee = nextBaseFee(parent, FORK)
  const expectation: Expectation = { random, accounts, baseFee, nonces: new Map() }
  for (const { address } of [...accounts.senders, ...accounts.authorities]) {
    expectation.nonces.set(address, await anvil.nonce(address))
  }
  let raws = [attributesDeposit(expectation)]
  while (raws.length < size) raws.push(randomTransaction(expectation))
  let block = await anvil.makeBlock(raws, baseFee)
  // One that is refused leaves its sender warm for the next, so the block is made without it.
  while (block.transactions.length < raws.length) {
    raws = raws.filter((raw) => block.transactions.includes(keccak256(raw)))
    block = await anvil.replaceBlock(raws, baseFee)
  }
  const trace = await tracerOf(store, parent, block, raws)
  const count = await faithfulCount(anvil, block, raws)
  const hashes = block.transactions.slice(0, count)
  return {
    hashes,
    ours: async (options) => (await trace(options)).slice(0, count),
    theirs: (options) =>
      Promise.all(hashes.map((hash) => anvil.request('debug_traceTransaction', [hash, options]))),
    theirFlatTraces: () =>
      Promise.all(hashes.map((hash) => anvil.request('trace_transaction', [hash]))),
    stop: () => anvil.stop(),
  }
}

const DEPOSIT = '0x7e'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'

/**
 * How many transactions anvil executes again as it did at first: sometimes it loses the L1 fee
 * parameters on the way, and all that follow pay no L1 fee, or too much.
 */
async function faithfulCount(
  anvil: ReferenceAnvil,
  block: EngineBlock,
  raws: Hex[],
): Promise<number> {
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  for (const [index, hash] of block.transactions.entries()) {
    if (raws[index]!.startsWith(DEPOSIT)) continue
    try {
      const { post } = await anvil.request<{ post: object }>('debug_traceTransaction', [
        hash,
        options,
      ])
      if (!(L1_FEE_VAULT in post)) return index
    } catch {
      return index
    }
  }
  return raws.length
}

async function tracerOf(
  store: MemoryStore,
  parent: Header,
  block: EngineBlock,
  raws: Hex[],
): Promise<TracedBlock['ours']> {
  const executor = await createExecutor({ chainId: BigInt(CHAIN_ID), fork: FORK })
  const blockHash = async () => undefined
  const replay = {
    parent,
    parentHash: block.parentHash,
    attributes: {
      timestamp: BigInt(block.timestamp),
      prevRandao: block.mixHash,
      feeRecipient: block.miner,
      parentBeaconBlockRoot: `0x${'00'.repeat(32)}` as Hash,
      gasLimit: BigInt(block.gasLimit),
      eip1559: EIP1559,
      minBaseFee: 0n,
    },
    transactions: raws.map((raw) => decodeTransaction(hexToBytes(raw))),
  }
  const { signal } = new AbortController()
  return (options) =>
    TRACE_JOBS.traceBlock({ executor, store, blockHash }, { ...replay, options }, signal)
}
