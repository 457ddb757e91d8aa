import { hexToBytes, keccak256, pad, toHex } from 'viem'
import { BlockArchive } from '#devnet/l2/node/chain/block-archive'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { createChainByHand } from '#devnet/l2/node/rpc/testing/chain-by-hand'
import { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { l2ChainId } from '#fixtures/chain/constants'
import { systemClock } from '#protocol/clock/system-clock'
import { readAccount, readStorage } from '#protocol/execution/account-reader'
import { writeAlloc } from '#protocol/execution/genesis'
import { WorldState } from '#protocol/execution/world-state'
import { MemoryStore } from '#protocol/trie/memory-store'
import type { Alloc } from '#protocol/types/account'
import type { Hash } from '#protocol/types/bytes'
import { tokenAlloc, transfers } from './erc20.ts'
import { type BenchResult, median, type Row, time } from './measurement.ts'

const CONFIG = { chainId: BigInt(l2ChainId), fork: 'jovian' } as const
const TOKEN = `0x${'70'.repeat(20)}` as const
const HOLDER = `0x${'71'.repeat(20)}` as const
const ACCOUNTS = [100, 1_000, 10_000, 100_000]
const TRANSACTIONS = [10, 50, 200, 500, 1_000]
const HISTORY = [10, 100, 1_000, 10_000]
/** With `--long`: what takes minutes and gigabytes. */
const LONG = { accounts: 1_000_000, transactions: 2_000, history: 100_000 }
const READS = 1_000
const ROUNDS = 5

/** How the cost of the same work grows with the state, with the block, and with the chain. */
export async function benchGrowth({ long = false } = {}): Promise<BenchResult> {
  const rows: Row[] = []
  for (const count of [...ACCOUNTS, ...(long ? [LONG.accounts] : [])]) {
    rows.push(await growingState(count))
  }
  for (const count of [...TRANSACTIONS, ...(long ? [LONG.transactions] : [])]) {
    rows.push(await growingBlock(count))
  }
  const lengths = [...HISTORY, ...(long ? [LONG.history] : [])]
  rows.push(...(await growingHistory(lengths)))
  return {
    title: 'How cost grows',
    note: [
      'In process, µs per read of an account or slot drawn at random: the first time (trie) and again (flat).',
      'Flashblocks: µs per transaction when a block of that many comes in ten parts, and what the logs at',
      'pending cost when one of them is looked for. History: µs for a block, a transaction, and one log.',
    ].join('\n'),
    rows,
  }
}

async function growingState(count: number): Promise<Row> {
  const base = new MemoryStore()
  const word = (value: number): Hash => pad(toHex(value), { size: 32 })
  const address = (index: number) => pad(toHex(0x1000_0000 + index), { size: 20 })
  const storage: Record<Hash, Hash> = {}
  const alloc: Alloc = { [HOLDER]: { nonce: 1n, storage } }
  for (let index = 0; index < count; index++) {
    alloc[address(index)] = { balance: BigInt(index + 1) }
    storage[word(index)] = word(index + 1)
  }
  const root = await writeAlloc(base, alloc)
  const store = new PrunedStore(base)
  // Spread over all of them, each once.
  const step = Math.max(1, Math.floor(count / READS))
  const picks = Array.from({ length: Math.min(READS, count) }, (_, at) => {
    const index = (at * step) % count
    return { index, address: address(index), slot: word(index), value: word(index + 1) }
  })
  const readAll = async (read: (pick: (typeof picks)[number]) => void) =>
    (1000 * (await time(() => picks.forEach(read)))) / picks.length
  const account = ({ address, index }: (typeof picks)[number]) => {
    if (readAccount(store, root, address)?.balance !== BigInt(index + 1)) throw wrong()
  }
  const slot = ({ slot, value }: (typeof picks)[number]) => {
    if (readStorage(store, root, HOLDER, slot) !== value) throw wrong()
  }
  const [firstAccount, firstSlot] = [await readAll(account), await readAll(slot)]
  const again = { account: [] as number[], slot: [] as number[], write: [] as number[] }
  const world = new WorldState(store, root)
  for (let round = 0; round < ROUNDS; round++) {
    again.account.push(await readAll(account))
    again.slot.push(await readAll(slot))
    const entry = await world.entry(HOLDER)
    const writes = async () => {
      for (const { slot } of picks.slice(0, 100)) {
        await world.setSlot(entry, slot, Uint8Array.of(round + 1))
      }
      await world.flush(store)
    }
    again.write.push((1000 * (await time(writes))) / Math.min(100, picks.length))
  }
  return {
    what: `${count} accounts, ${count} slots`,
    values: {
      'account, first µs': firstAccount,
      'slot, first µs': firstSlot,
      'account µs': median(again.account),
      'slot µs': median(again.slot),
      'slot written µs': median(again.write),
    },
  }
}

async function growingBlock(count: number): Promise<Row> {
  const chain = await createChainByHand(CONFIG, tokenAlloc(TOKEN))
  const runners = await createInlineRunners(chain, CONFIG)
  const methods = nodeMethods({ chain, config: CONFIG, ...runners, clock: systemClock })
  const signal = new AbortController().signal
  const raws = transfers(TOKEN, Array(10).fill(0), count).map((raw) => hexToBytes(raw))
  const share = Math.ceil(count / 10)
  const building = await time(async () => {
    for (let from = 0; from < count; from += share) {
      await chain.flashblock(...raws.slice(from, from + share))
    }
  })
  const { receipts } = chain.pending()!
  const found = receipts.at(-1)!.logs[0]!
  const filter = { fromBlock: 'pending', toBlock: 'pending', topics: [...found.topics] }
  const query = () => methods.eth_getLogs!([filter], { signal })
  if (JSON.parse(JSON.stringify(query())).length === 0) throw wrong()
  const times: number[] = []
  for (let round = 0; round < 200; round++) times.push(1000 * (await time(query)))
  return {
    what: `${count} transactions in a block`,
    values: { 'transaction µs': (1000 * building) / count, 'logs at pending µs': median(times) },
  }
}

async function growingHistory(lengths: readonly number[]): Promise<Row[]> {
  const chain = await createChainByHand(CONFIG, tokenAlloc(TOKEN))
  const raws = transfers(TOKEN, Array(10).fill(0), 5).map((raw) => hexToBytes(raw))
  const block = await chain.mine(...raws)
  const archive = new BlockArchive()
  try {
    let made = 0
    const rows: Row[] = []
    for (const length of lengths) {
      const appending = await time(() => {
        for (; made < length; made++) archive.append(numbered(block, made))
      })
      const spread = Array.from({ length: 50 }, (_, at) => Math.floor((at * (length - 1)) / 49))
      const [byNumber, byTransaction]: [number[], number[]] = [[], []]
      for (const number of spread) {
        byNumber.push(await time(() => mustBe(archive.byNumber(BigInt(number)), number)))
        const { hash } = numbered(block, number).transactions.at(-1)!
        byTransaction.push(await time(() => mustBe(archive.findTransaction(hash)?.block, number)))
      }
      rows.push({
        what: `${length} blocks of history`,
        values: {
          'block µs': 1000 * median(byNumber),
          'transaction found µs': 1000 * median(byTransaction),
          'appended µs': (1000 * appending) / length,
        },
      })
    }
    return rows
  } finally {
    archive.close()
  }
}

type SealedBlock = Awaited<ReturnType<Awaited<ReturnType<typeof createChainByHand>>['mine']>>

/** The same block at another height, with hashes of its own. */
function numbered(block: SealedBlock, number: number): SealedBlock {
  return {
    ...block,
    hash: keccak256(toHex(number)),
    header: { ...block.header, number: BigInt(number) },
    transactions: block.transactions.map((transaction, index) => ({
      ...transaction,
      hash: keccak256(toHex(`${number}/${index}`)),
    })),
  }
}

function mustBe(block: SealedBlock | undefined, number: number): void {
  if (block?.header.number !== BigInt(number)) throw wrong()
}

function wrong(): Error {
  return new Error('A wrong answer.')
}
