import { pad, toHex } from 'viem'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { decodeTransaction } from '#protocol/transaction/decode-transaction'
import { sign, transferData } from './erc20.ts'
import { executorChain, TOKEN } from './executor-chain.ts'
import { type BenchResult, median, type Row } from './measurement.ts'

const RECEIVERS = [1, 10, 100, 1_000]
const TRANSFERS = 1_000
const USERS = 10
const ROUNDS = 9
/** The first creates what the receivers hold. */
const WARM_UP = 2

/** How building a block grows with the accounts and slots that it touches. */
export async function benchAccounts(): Promise<BenchResult> {
  // V8 compiles what is hot over some ten thousand transfers.
  await touching(10)
  const rows: Row[] = []
  for (const count of RECEIVERS) rows.push(await touching(count))
  return {
    title: `A block of ${TRANSFERS} ERC-20 transfers, by how many receive them`,
    note: 'By our executor in one process: decoded transactions executed, and the block sealed. µs of CPU, medians.',
    rows,
  }
}

async function touching(receivers: number): Promise<Row> {
  const addBlock = await executorChain()
  const costs: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const transactions = Array.from({ length: TRANSFERS }, (_, at) => {
      const to = pad(toHex(0x1000_0000 + (at % receivers)), { size: 20 })
      const nonce = ((round + WARM_UP) * TRANSFERS + at - (at % USERS)) / USERS
      return decodeTransaction(hexToBytes(sign(at % USERS, nonce, TOKEN, transferData(to, 1n))))
    })
    const before = process.cpuUsage()
    await addBlock(transactions)
    const { user, system } = process.cpuUsage(before)
    if (round >= 0) costs.push(user + system)
  }
  return {
    what: `${receivers} receivers`,
    values: {
      'CPU µs per block': median(costs),
      'CPU µs per transfer': median(costs) / TRANSFERS,
    },
  }
}
