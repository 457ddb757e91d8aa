import { hexToBytes } from 'viem'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import type { Transaction } from '#protocol/types/transaction'
import { startReferenceAnvil } from '#suites/oracles/differential/reference-anvil'
import { tokenAlloc, transfers } from './erc20.ts'
import {
  BASE_FEE,
  COINBASE,
  executorChain,
  GAS_LIMIT,
  GENESIS_TIME,
  TOKEN,
} from './executor-chain.ts'
import { type BenchResult, median, type Row, sideBySide } from './measurement.ts'

/** Transactions of a block, and how many such blocks. */
const SIZES = [
  { size: 20, rounds: 20 },
  { size: 200, rounds: 20 },
  { size: 1_000, rounds: 7 },
]
const WARM_UP = 8

/** The same blocks of token transfers, executed by our executor and by anvil in OP mode. */
export async function benchBlockExecution(): Promise<BenchResult> {
  const rows = []
  for (const { size, rounds } of SIZES) rows.push(...(await compare(size, rounds)))
  return {
    title: 'A block of ERC-20 transfers, executed by us and by anvil',
    note: [
      'From bytes: we decode, recover senders, execute and seal; anvil takes the transactions into its',
      'pool (one JSON-RPC batch) and mines them. Decoded: we execute and seal; anvil mines what is in',
      'its pool. Reorg: as from bytes, but anvil makes its newest block again of them, without a pool.',
    ].join('\n'),
    rows,
  }
}

async function compare(size: number, rounds: number): Promise<Row[]> {
  const nonces = Array(10).fill(0)
  const blocks = Array.from({ length: WARM_UP + rounds }, () => transfers(TOKEN, nonces, size))
  const addBlock = await executorChain()
  const anvil = await startReferenceAnvil({
    chainId: l2ChainId,
    alloc: tokenAlloc(TOKEN),
    timestamp: GENESIS_TIME,
    coinbase: COINBASE,
    baseFeePerGas: BASE_FEE,
    gasLimit: GAS_LIMIT,
  })
  try {
    let round = -1
    let transactions: Transaction[] = []
    const times = await sideBySide(
      {
        decode() {
          round++
          transactions = blocks[round]!.map((raw) => decodeTransaction(hexToBytes(raw)))
        },
        execute: () => addBlock(transactions),
        send: () => anvil.send(blocks[round]!),
        mine: () => anvil.request('evm_mine'),
        reorg: () => anvil.replaceBlock(blocks[round]!, BASE_FEE),
      },
      rounds,
      WARM_UP,
    )
    for (const [user, { address }] of userKeys.slice(0, nonces.length).entries()) {
      if ((await anvil.nonce(address)) !== BigInt(nonces[user]!))
        throw new Error('anvil left transactions out.')
    }
    const { decode, execute, send, mine, reorg } = times
    const sums = (one: number[], other: number[]) => one.map((time, i) => time + other[i]!)
    return [
      row(`${size}, from bytes`, size, sums(decode, execute), sums(send, mine)),
      row(`${size}, decoded`, size, execute, mine),
      row(`${size}, reorg`, size, sums(decode, execute), reorg),
    ]
  } finally {
    await anvil.stop()
  }
}

function row(what: string, size: number, ours: number[], anvils: number[]): Row {
  const ratios = ours.map((time, round) => time / anvils[round]!)
  return {
    what,
    values: {
      'executor ms': median(ours),
      'anvil ms': median(anvils),
      'executor tx/s': (1000 * size) / median(ours),
      'executor ÷ anvil': median(ratios),
    },
  }
}
