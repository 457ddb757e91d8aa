import { isDeepStrictEqual } from 'node:util'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectAddress, expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import {
  encodedOf,
  expectOwnTransactionsRoot,
  parentOf,
  type SeenBlock,
  sealedFrom,
  seenPending,
  seenSealed,
} from '../../seen/seen-blocks.ts'
import { bloomOf } from '../../spec/bloom-of.ts'
import { encodeTransaction, signerOf } from '../../spec/encode-transaction.ts'
import { keccak256 } from '../../spec/hash.ts'
import { blockSize } from '../../spec/header.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'
import { receiptsRoot } from '../../spec/receipts-root.ts'
import type { Hex } from '../../wire/hex.ts'

/** Known when the block is begun (Flashblocks: the base payload), so it holds from then on. */
const SETTLED = [
  'nonce',
  'sha3Uncles',
  'miner',
  'difficulty',
  'mixHash',
  'extraData',
  'gasLimit',
  'timestamp',
  'uncles',
  'withdrawals',
  'baseFeePerGas',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
]
/** What the transactions so far come to. */
const OUTCOME = [
  'logsBloom',
  'transactionsRoot',
  'stateRoot',
  'receiptsRoot',
  'gasUsed',
  'withdrawalsRoot',
  'blobGasUsed',
]

interface Seen {
  pending: readonly SeenBlock[]
  sealed: readonly SeenBlock[]
  /** Receipts of the newest blocks by their transactions; empty where the node serves none. */
  receipts: ReadonlyMap<unknown, JsonObject>
}

/** A case that judges every pending block seen in the run. */
const ofPending = (
  about: Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale' | 'level'>,
  judge: (block: SeenBlock, seen: Seen) => void | Promise<void>,
  pick: (seen: Seen) => readonly SeenBlock[] = ({ pending }) => pending,
): ConformanceCase => ({
  ...about,
  area: 'pending',
  needs: ['rpc'],
  judgesAll: true,
  async run(t) {
    const { receipts: blocks = [] } = await t.scene(recentBlocks)
    const receipts = new Map(
      blocks.flatMap(({ receipts }) => receipts).map((each) => [each.transactionHash, each]),
    )
    const seen = { pending: seenPending(t.seen), sealed: seenSealed(t.seen), receipts }
    await judgeEach(pick(seen), 'pending blocks', (each) => judge(each, seen))
  },
})

const whole = ({ pending }: Seen) => pending.filter(({ transactions }) => transactions)

export const cases = defineCases([
  ofPending(
    {
      id: 'rpc.pending.seen-settled.01',
      title:
        'What is settled when a block begins is the same while it is pending and once it is sealed',
      rules: ['RPC-PEND-04'],
      rationale: 'Only number, hash, gasUsed, transactions and blobGasUsed are said to differ.',
    },
    (each, { sealed }) => {
      const from = sealedFrom(each, sealed)
      if (from.length === 0) return
      const settled = ({ block }: SeenBlock) => pick(block, SETTLED)
      const same = from.find((one) => isDeepStrictEqual(settled(one), settled(each))) ?? from[0]!
      expectEqual(settled(each), settled(same), `pending block before ${same.block.number}`)
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-base-fee.01',
      title: 'baseFeePerGas follows from the parent in every pending block of the run',
      rules: ['RPC-PEND-04', 'RPC-PEND-13'],
      rationale: 'With the parameters that the header of the parent itself carries.',
    },
    (each, { sealed }) => {
      const parent = parentOf(each, sealed)
      const expected = parent && nextBaseFee(parent.block)
      if (expected === undefined) return
      expectEqual(
        expectQuantity(each.block.baseFeePerGas, 'baseFeePerGas'),
        expected,
        'baseFeePerGas',
      )
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-transactions-root.01',
      title: 'Every pending block of the run has the root of the transactions that it lists',
      rules: ['RPC-PEND-04', 'RPC-PEND-08'],
      rationale: 'Rebuilt from whole transactions by an independent encoder and trie.',
    },
    expectOwnTransactionsRoot,
    whole,
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-size.01',
      title: 'Every pending block of the run has its encoded length as size',
      rules: ['RPC-PEND-04'],
      // Base's own nodes say no size while a block is pending.
      rationale: 'That of the block as it would be sealed now, with the number after its parent.',
    },
    (each, { sealed }) => {
      const parent = parentOf(each, sealed)
      if (!parent || each.block.size === undefined) return
      const number = expectQuantity(parent.block.number, 'number of the parent') + 1n
      const numbered = { ...each.block, number: `0x${number.toString(16)}` }
      expectEqual(
        expectQuantity(each.block.size, 'size'),
        blockSize(numbered, encodedOf(each)),
        'size',
      )
    },
    whole,
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-outcome.01',
      title:
        'A pending block to which nothing was added has the roots, bloom and gas of the sealed one',
      rules: ['RPC-PEND-04', 'RPC-PEND-05', 'RPC-PEND-09'],
      rationale: 'The same transactions on the same parent have one outcome.',
    },
    (each, { sealed }) => {
      const came = sealedFrom(each, sealed).filter((one) =>
        isDeepStrictEqual(one.hashes, each.hashes),
      )
      if (came.length === 0) return
      const outcome = ({ block }: SeenBlock) => pick(block, OUTCOME)
      const same = came.find((one) => isDeepStrictEqual(outcome(one), outcome(each))) ?? came[0]!
      expectEqual(outcome(each), outcome(same), `pending block before ${same.block.number}`)
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-same.01',
      title: 'Two pending blocks with the same transactions on the same parent are the same',
      rules: ['RPC-PEND-04', 'RPC-PEND-05', 'RPC-PEND-09'],
      rationale: 'What is asked for again is told again: every member follows from the list.',
    },
    (each, { pending }) => {
      const first = pending.find(
        (one) =>
          one.block.parentHash === each.block.parentHash &&
          isDeepStrictEqual(one.hashes, each.hashes),
      )!
      const { transactions: _, ...members } = each.block
      const { transactions: __, ...before } = first.block
      expectEqual(members, before, `pending block of ${each.hashes.length} transactions`)
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-receipts.01',
      title:
        'gasUsed, logsBloom and receiptsRoot of a pending block are those of the transactions that it lists',
      rules: ['RPC-PEND-04', 'RPC-PEND-05'],
      rationale: 'Held against their receipts, once they are sealed in the same places.',
    },
    async ({ block, hashes }, { receipts }) => {
      const own = hashes.map((hash) => receipts.get(hash))
      const isKnown = (receipt: JsonObject | undefined, index: number): receipt is JsonObject =>
        Number(receipt?.transactionIndex ?? -1) === index
      if (!own.every(isKnown)) return
      const last = own.at(-1)?.cumulativeGasUsed ?? '0x0'
      expectEqual(block.gasUsed, last, 'gasUsed')
      const logs = own.flatMap((receipt) => receipt.logs as JsonObject[])
      const values = logs.flatMap(({ address, topics }) => [address, ...(topics as string[])])
      expectEqual(block.logsBloom, bloomOf(values.map(String) as Hex[]), 'logsBloom')
      expectEqual(block.receiptsRoot, await receiptsRoot(own), 'receiptsRoot')
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-withdrawals-root.01',
      title: 'withdrawalsRoot of a pending block is that of the blocks around it, where they agree',
      rules: ['RPC-PEND-04'],
      rationale:
        'OP spec, Isthmus: the storage root of L2ToL1MessagePasser, which only ever gets more; between two equal ones there is no other.',
    },
    (each, { sealed }) => {
      const below = parentOf(each, sealed)
      const above = sealedFrom(each, sealed).map(({ block }) => block.withdrawalsRoot)
      const root = below?.block.withdrawalsRoot
      if (above.length > 0 && above.every((one) => one === root))
        expectEqual(each.block.withdrawalsRoot, root, 'withdrawalsRoot')
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-growth.01',
      title:
        'A pending block that was asked for later holds all that it held, and its roots and gas follow',
      rules: ['RPC-PEND-05', 'RPC-PEND-06'],
      rationale:
        'Pre-confirmed is a promise: within a block the list only grows, and so does its gas.',
    },
    (each, { pending }) => {
      const earlier = pending.filter(
        (one) => one.answered < each.asked && one.block.parentHash === each.block.parentHash,
      )
      for (const { block, hashes } of earlier) {
        const at = 'pending block on the same parent'
        expectEqual(each.hashes.slice(0, hashes.length), hashes, `transactions of a ${at}`)
        if (each.hashes.length === hashes.length) continue
        for (const root of ['stateRoot', 'receiptsRoot', 'transactionsRoot'])
          expectDifferent(
            each.block[root],
            block[root],
            `${root} of a ${at} with one more transaction`,
          )
        const before = expectQuantity(block.gasUsed, 'gasUsed')
        const gas = expectQuantity(each.block.gasUsed, 'gasUsed')
        expectThat(gas > before, `more than ${before}`, gas, `gasUsed of a ${at}`)
      }
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-kept.01',
      title: 'What was pre-confirmed is sealed in the same places',
      level: 'should',
      rules: ['RPC-PEND-06', 'RPC-PEND-07'],
      rationale: 'A sequencer may drop what it has promised, when it fails; a client counts on it.',
    },
    (each, { sealed }) => {
      const from = sealedFrom(each, sealed)
      if (from.length === 0) return
      const starts = from.map(({ hashes }) => hashes.slice(0, each.hashes.length))
      const kept = starts.find((hashes) => isDeepStrictEqual(hashes, each.hashes)) ?? starts[0]
      expectEqual(kept, each.hashes, `transactions of block ${from[0]!.block.number}`)
    },
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-transactions-sealed.01',
      title:
        'Every pending transaction of the run is the sealed one, member by member, but for its place',
      rules: ['RPC-PEND-08'],
      rationale: 'It is signed before it is pending: no member of its own changes by the seal.',
    },
    ({ transactions = [] }, { sealed }) => {
      const known = sealedTransactions(sealed)
      for (const [index, each] of transactions.entries()) {
        const same = known.get(each.hash)
        if (same) expectEqual(ownMembers(each), ownMembers(same), `transactions[${index}]`)
      }
    },
    whole,
  ),
  ofPending(
    {
      id: 'rpc.pending.seen-transactions.01',
      title:
        'Every pending transaction of the run has the hash, sender and place that follow from it',
      rules: ['RPC-PEND-08'],
      rationale:
        'Hash and sender are computed from its own members: type, list, fees and signature.',
    },
    ({ transactions = [] }) => {
      for (const [index, each] of transactions.entries()) {
        const at = `transactions[${index}]`
        expectEqual(each.hash, keccak256(encodeTransaction(each)), `${at}.hash`)
        const signer = signerOf(each)
        if (signer) expectEqual(expectAddress(each.from, `${at}.from`), signer, `${at}.from`)
        // Whether a pending one has a place is not stated (OPEN-08); a wrong one it must not have.
        if (each.transactionIndex !== null)
          expectEqual(each.transactionIndex, `0x${index.toString(16)}`, `${at}.transactionIndex`)
      }
    },
    whole,
  ),
])

/** Of which no document says what they are before the block is sealed (OPEN-08). */
const OF_PLACE = ['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex', 'gasPrice']

function ownMembers(transaction: JsonObject): JsonObject {
  const own = Object.entries(transaction).filter(([name]) => !OF_PLACE.includes(name))
  return Object.fromEntries(own.filter(([, value]) => value !== null))
}

const transactionsOf = new WeakMap<readonly SeenBlock[], Map<unknown, JsonObject>>()

/** Every sealed transaction that was seen whole, by its hash. */
function sealedTransactions(sealed: readonly SeenBlock[]): Map<unknown, JsonObject> {
  const known = transactionsOf.get(sealed) ?? new Map<unknown, JsonObject>()
  if (!transactionsOf.has(sealed))
    for (const each of sealed.flatMap(({ transactions = [] }) => transactions))
      known.set(each.hash, each)
  transactionsOf.set(sealed, known)
  return known
}

function pick(block: SeenBlock['block'], names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, block[name]]))
}
