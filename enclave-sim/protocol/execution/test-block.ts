import { MemoryStore } from '../trie/memory-store.ts'
import type { Alloc } from '../types/account.ts'
import type { Block, PayloadAttributes } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import type { Fork } from '../types/execution-config.ts'
import type { Schedule } from '../types/schedule.ts'
import { createExecutor } from './create-executor.ts'
import type { Executor, OpenBlock } from './executor.ts'
import { genesisBlock, writeAlloc } from './genesis.ts'

/** For tests: a chain of nothing but its genesis, and the block on top of it. */
export interface TestBlock {
  executor: Executor
  store: MemoryStore
  genesis: Block
  attributes: PayloadAttributes
  block: OpenBlock
}

export const TEST_CHAIN_ID = 84_538_453
export const TEST_BASE_FEE = 996_000_000n
const ZERO: Hash = `0x${'00'.repeat(32)}`
const EIP1559 = { denominator: 250, elasticity: 6 }

/** Opens block 1 over an allocation; its base fee is TEST_BASE_FEE, as the genesis is empty. */
export async function openTestBlock(
  alloc: Alloc,
  {
    fork = 'jovian',
    upgrades = {},
    ...rest
  }: {
    fork?: Fork
    upgrades?: Schedule
    gasLimit?: bigint
    parentBeaconBlockRoot?: Hash
  } = {},
): Promise<TestBlock> {
  const store = new MemoryStore()
  const executor = await createExecutor({ chainId: BigInt(TEST_CHAIN_ID), fork, upgrades })
  const genesis = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, alloc),
    fork,
    timestamp: 1_700_000_000n,
    gasLimit: 30_000_000n,
    baseFeePerGas: 1_000_000_000n,
    eip1559: EIP1559,
  })
  const attributes: PayloadAttributes = {
    timestamp: 1_700_000_002n,
    prevRandao: ZERO,
    feeRecipient: '0x4200000000000000000000000000000000000011',
    parentBeaconBlockRoot: ZERO,
    gasLimit: 30_000_000n,
    eip1559: EIP1559,
    minBaseFee: 0n,
    transactions: [],
    ...rest,
  }
  const block = await executor.openBlock({
    store,
    parent: genesis.header,
    parentHash: genesis.hash,
    attributes,
    blockHash: async () => undefined,
  })
  return { executor, store, genesis, attributes, block }
}
