import { hexToBytes } from 'viem'
import { createExecutor } from '../../enclave-sim/execution/create-executor.ts'
import { genesisBlock, writeAlloc } from '../../enclave-sim/execution/genesis.ts'
import { MemoryStore } from '../../enclave-sim/execution/memory-store.ts'
import { decodeTransaction } from '../../enclave-sim/transaction/decode-transaction.ts'
import { l2ChainId } from '../../fixtures/chain/constants.ts'
import { ReferenceAnvil } from '../differential/reference-anvil.ts'
import { tokenAlloc, transfers } from './erc20.ts'
import { type BenchResult, median, sideBySide } from './measurement.ts'

const TOKEN = `0x${'70'.repeat(20)}` as const
const COINBASE = '0x4200000000000000000000000000000000000011'
const FORK = 'isthmus'
const GENESIS_TIME = 1_700_000_000n
const BASE_FEE = 1_000_000_000n
const SIZES = [20, 200]

/** The same blocks of token transfers, executed by our executor and by anvil in OP mode. */
export async function benchBlockExecution(): Promise<BenchResult> {
  const alloc = tokenAlloc(TOKEN)
  const store = new MemoryStore()
  const genesis = genesisBlock({
    store,
    stateRoot: await writeAlloc(store, alloc),
    fork: FORK,
    timestamp: GENESIS_TIME,
    gasLimit: 30_000_000n,
    baseFeePerGas: BASE_FEE,
    eip1559: { denominator: 250, elasticity: 6 },
  })
  const executor = await createExecutor({ chainId: BigInt(l2ChainId), fork: FORK })
  const anvil = await ReferenceAnvil.start({
    chainId: l2ChainId,
    alloc,
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    baseFeePerGas: BASE_FEE,
  })
  try {
    await anvil.request('evm_mine')
    const rows = []
    for (const size of SIZES) {
      const raws = transfers(TOKEN, Array(10).fill(0), size)
      const execute = async () => {
        const block = await executor.openBlock({
          store,
          parent: genesis.header,
          parentHash: genesis.hash,
          blockHash: async () => undefined,
          attributes: {
            timestamp: GENESIS_TIME + 2n,
            prevRandao: genesis.header.mixHash,
            feeRecipient: COINBASE,
            parentBeaconBlockRoot: genesis.header.mixHash,
            gasLimit: 30_000_000n,
            eip1559: { denominator: 250, elasticity: 6 },
            minBaseFee: 0n,
            transactions: [],
          },
        })
        for (const raw of raws) await block.execute(decodeTransaction(hexToBytes(raw)))
        const { receipts } = await block.seal()
        if (receipts.some(({ status }) => status === 0)) throw new Error('A transfer failed.')
      }
      const replace = async () => {
        const { transactions } = await anvil.replaceBlock(raws, BASE_FEE)
        if (transactions.length !== size) throw new Error('anvil left transactions out.')
      }
      const times = await sideBySide({ execute, replace }, 15)
      const [ours, theirs] = [median(times.execute), median(times.replace)]
      rows.push({
        what: `${size} transfers`,
        values: {
          'executor ms': ours,
          'anvil ms': theirs,
          'executor tx/s': (1000 * size) / ours,
          'executor ÷ anvil': ours / theirs,
        },
      })
    }
    return {
      title: 'A block of ERC-20 transfers, decoded, executed and sealed again',
      note: 'anvil is asked by anvil_reorg over HTTP, which is part of its time; its root is none.',
      rows,
    }
  } finally {
    await anvil.stop()
  }
}
