import { l2ChainId } from '#fixtures/chain/constants'
import { createExecutor } from '#protocol/execution/create-executor'
import { genesisBlock, writeAlloc } from '#protocol/execution/genesis'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Transaction } from '#protocol/types/transaction'
import { tokenAlloc } from './erc20.ts'

export const TOKEN = `0x${'70'.repeat(20)}` as const
export const COINBASE = '0x4200000000000000000000000000000000000011'
export const GENESIS_TIME = 1_700_000_000n
export const BASE_FEE = 1_000_000_000n
export const GAS_LIMIT = 60_000_000n
const FORK = 'isthmus'
const EIP1559 = { denominator: 250, elasticity: 6 }

/** A chain of our executor; each call adds one block. */
export async function executorChain(): Promise<
  (transactions: readonly Transaction[]) => Promise<void>
> {
  const executor = await createExecutor({ chainId: BigInt(l2ChainId), fork: FORK })
  const store = new MemoryStore()
  let head = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, tokenAlloc(TOKEN)),
    fork: FORK,
    timestamp: GENESIS_TIME,
    gasLimit: GAS_LIMIT,
    baseFeePerGas: BASE_FEE,
    eip1559: EIP1559,
  })
  return async (transactions) => {
    const block = await executor.openBlock({
      store,
      parent: head.header,
      parentHash: head.hash,
      blockHash: async () => undefined,
      attributes: {
        timestamp: head.header.timestamp + 2n,
        prevRandao: head.header.mixHash,
        feeRecipient: COINBASE,
        parentBeaconBlockRoot: head.header.mixHash,
        gasLimit: GAS_LIMIT,
        eip1559: EIP1559,
        minBaseFee: 0n,
        transactions: [],
      },
    })
    for (const transaction of transactions) await block.execute(transaction)
    head = await block.seal()
    if (head.receipts.some(({ status }) => status === 0)) throw new Error('A transfer failed.')
  }
}
