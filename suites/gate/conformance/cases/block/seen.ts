import { notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import {
  expectAddress,
  expectBytes,
  expectHash,
  expectQuantity,
} from '../../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../../matchers/expect-shape.ts'
import { recentBlocks } from '../../scenes/recent-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { BlockReceipts } from '../../seen/log-index.ts'
import {
  encodedOf,
  expectOwnTransactionsRoot,
  oneOfEach,
  parentOf,
  type SeenBlock,
  seenSealed,
} from '../../seen/seen-blocks.ts'
import { bloomOf } from '../../spec/bloom-of.ts'
import { encodeTransaction, signerOf } from '../../spec/encode-transaction.ts'
import { keccak256 } from '../../spec/hash.ts'
import { blockSize, headerHash } from '../../spec/header.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'
import { receiptsRoot } from '../../spec/receipts-root.ts'

const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'

type OfAll = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale' | 'level'>

/** A case that judges every sealed block seen in the run. */
const ofSealed = (
  about: OfAll,
  judge: (block: SeenBlock, all: readonly SeenBlock[], t: CaseContext) => void | Promise<void>,
  pick: (all: readonly SeenBlock[]) => readonly SeenBlock[] = (all) => all,
): ConformanceCase => ({
  ...about,
  area: 'block',
  needs: ['rpc'],
  judgesAll: true,
  async run(t) {
    await t.scene(recentBlocks)
    const all = seenSealed(t.seen)
    await judgeEach(pick(all), 'sealed blocks', (each) => judge(each, all, t))
  },
})

/** A case that judges the newest blocks by their receipts. */
const byReceipts = (
  about: OfAll,
  judge: (block: BlockReceipts) => void | Promise<void>,
): ConformanceCase => ({
  ...about,
  area: 'block',
  needs: ['rpc'],
  judgesAll: true,
  async run(t) {
    const { receipts = notApplicable('The node does not serve eth_getBlockReceipts.') } =
      await t.scene(recentBlocks)
    for (const each of receipts) await judge(each)
  },
})

/** The transactions of a block as they were seen whole first; for the run, each looked up once. */
function wholeOf(all: readonly SeenBlock[], hash: unknown): readonly JsonObject[] | undefined {
  const known = wholes.get(all) ?? new Map<unknown, readonly JsonObject[]>()
  if (!wholes.has(all))
    for (const { block, transactions } of all)
      if (transactions?.length && !known.has(block.hash)) known.set(block.hash, transactions)
  wholes.set(all, known)
  return known.get(hash)
}
const wholes = new WeakMap<readonly SeenBlock[], Map<unknown, readonly JsonObject[]>>()

const whole = (all: readonly SeenBlock[]) => all.filter(({ transactions }) => transactions)

export const cases = defineCases([
  ofSealed(
    {
      id: 'rpc.block.seen-hash.01',
      title: 'Every sealed block of the run has the hash of its own members',
      rules: ['RPC-BLK-06', 'RPC-BLK-12', 'RPC-BLK-13', 'RPC-BLK-17', 'RPC-BLK-27', 'RPC-BLK-31'],
      rationale: 'A member that is wrong now and then shows in one of many answers.',
    },
    ({ block }) =>
      expectEqual(block.hash, headerHash(block), 'block.hash', `Block ${block.number}.`),
  ),
  ofSealed(
    {
      id: 'rpc.block.seen-same.01',
      title: 'A sealed block is the same in every answer, its transactions whole or by hash',
      rules: ['RPC-BLK-22', 'RPC-BLK-23', 'RPC-BLK-18'],
      rationale: 'What is sealed does not change; the flag picks the form of the list alone.',
    },
    (each, all) => {
      const first = all.find(({ block }) => block.hash === each.block.hash)!
      const { transactions: _, ...members } = each.block
      const { transactions: __, ...before } = first.block
      expectEqual(members, before, `block ${each.block.number}`)
      expectEqual(each.hashes, first.hashes, `hashes of block ${each.block.number}`)
      const whole = each.transactions && wholeOf(all, each.block.hash)
      if (whole) expectEqual(each.transactions, whole, `transactions of block ${each.block.number}`)
    },
  ),
  {
    id: 'rpc.block.seen-form.01',
    title: 'Every answer of the run lists hashes or whole transactions, as its flag says',
    area: 'block',
    rules: ['RPC-BLK-22', 'RPC-BLK-23'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'The flag holds at each tag: one that is forgotten at safe shows nowhere else.',
    async run({ seen, rpc }) {
      // The watch looks there, too; without one nobody else does.
      for (const tag of ['safe', 'finalized'])
        for (const isWhole of [false, true]) await rpc.call('eth_getBlockByNumber', [tag, isWhole])
      const answers = seen
        .to('eth_getBlockByNumber')
        .filter(({ params, result }) => typeof params[1] === 'boolean' && Object(result) === result)
      await judgeEach(answers, 'blocks', ({ params: [selector, isWhole], result }) => {
        const { transactions } = result as JsonObject
        const kinds = expectArray(transactions, 'transactions').map((each) => typeof each)
        const wanted = isWhole ? 'object' : 'string'
        const others = kinds.filter((kind) => kind !== wanted)
        expectEqual(others, [], `kinds of the transactions at ${selector} that are no ${wanted}`)
      })
    },
  },
  ofSealed(
    {
      id: 'rpc.block.seen-parent.01',
      title: 'Every sealed block of the run names its parent and is later than it',
      rules: ['RPC-BLK-05', 'RPC-BLK-07', 'RPC-BLK-21'],
      rationale: 'Held against the parent itself, which the run has seen.',
    },
    (each, all, { profile }) => {
      const number = expectQuantity(each.block.number, 'number')
      const at = `block ${number}`
      const time = expectQuantity(each.block.timestamp, 'timestamp')
      const below = all.filter(({ block }) => block.number === `0x${(number - 1n).toString(16)}`)
      if (number === 0n || below.length === 0) return
      const parent = parentOf(each, below)
      const hashes = below.map(({ block }) => block.hash)
      expectThat(
        parent !== undefined,
        `one of ${hashes}`,
        each.block.parentHash,
        `parentHash of ${at}`,
      )
      const before = expectQuantity(parent.block.timestamp, 'timestamp')
      // On today's chain up to five blocks share a second.
      const isLater = time > before || (profile === 'today' && time === before)
      expectThat(isLater, `after ${before}`, time, `timestamp of ${at}`)
    },
  ),
  ofSealed(
    {
      id: 'rpc.block.seen-transactions-root.01',
      title: 'Every sealed block of the run has the root of the transactions that it lists',
      rules: ['RPC-BLK-11', 'RPC-BLK-23'],
      rationale: 'Rebuilt from whole transactions by an independent encoder and trie.',
    },
    expectOwnTransactionsRoot,
    whole,
  ),
  ofSealed(
    {
      id: 'rpc.block.seen-size.01',
      title: 'Every sealed block of the run has its encoded length as size',
      rules: ['RPC-BLK-18'],
      rationale: 'Header, transactions, uncles and withdrawals, encoded independently.',
    },
    (each) =>
      expectEqual(
        expectQuantity(each.block.size, 'size'),
        blockSize(each.block, encodedOf(each)),
        'size',
      ),
    whole,
  ),
  ofSealed(
    {
      id: 'rpc.block.seen-base-fee.01',
      title: 'baseFeePerGas follows from the parent in every sealed block of the run',
      rules: ['RPC-BLK-27', 'RPC-BLK-17'],
      rationale: 'With the parameters that the header of the parent itself carries.',
    },
    (each, all) => {
      const parent = parentOf(each, all)
      const expected = parent && nextBaseFee(parent.block)
      if (expected === undefined) return
      expectEqual(
        expectQuantity(each.block.baseFeePerGas, 'baseFeePerGas'),
        expected,
        'baseFeePerGas',
      )
    },
    oneOfEach,
  ),
  ofSealed(
    {
      id: 'rpc.block.seen-transactions.01',
      title:
        'Every sealed transaction of the run has the hash, sender and place that follow from it',
      rules: ['RPC-BLK-23'],
      rationale:
        'Hash and sender are computed from its own members: type, list, fees and signature.',
    },
    ({ block, transactions = [] }) => {
      for (const [index, each] of transactions.entries()) {
        const at = `transactions[${index}]`
        expectEqual(each.hash, keccak256(encodeTransaction(each)), `${at}.hash`)
        const signer = signerOf(each)
        if (signer) expectEqual(expectAddress(each.from, `${at}.from`), signer, `${at}.from`)
        const price = effectivePrice(each, block)
        if (price !== undefined)
          expectEqual(expectQuantity(each.gasPrice, `${at}.gasPrice`), price, `${at}.gasPrice`)
        expectEqual(each.blockHash, block.hash, `${at}.blockHash`)
        expectEqual(each.blockNumber, block.number, `${at}.blockNumber`)
        expectEqual(each.transactionIndex, `0x${index.toString(16)}`, `${at}.transactionIndex`)
      }
    },
    whole,
  ),
  byReceipts(
    {
      id: 'rpc.block.receipts-root.01',
      title: 'receiptsRoot is the root of the trie of the receipts that the node serves',
      rules: ['RPC-BLK-13'],
      rationale: 'Rebuilt from eth_getBlockReceipts by an independent encoder and trie.',
    },
    async ({ block, receipts }) =>
      expectEqual(
        block.receiptsRoot,
        await receiptsRoot(receipts),
        'receiptsRoot',
        `Block ${block.number}.`,
      ),
  ),
  byReceipts(
    {
      id: 'rpc.block.receipts-transactions.01',
      title: 'Every transaction of the newest blocks is the one that its receipt is of',
      rules: ['RPC-BLK-23'],
      rationale: 'Hash, place, sender and type; of a deposit, which nobody signs, its nonce, too.',
    },
    ({ block, receipts }) => {
      const transactions = expectArray(block.transactions, 'transactions')
      for (const [index, each] of transactions.entries()) {
        const { hash, transactionIndex, from, type, nonce } = expectObject(each, 'transactions[]')
        const receipt = receipts[index] ?? {}
        const { depositNonce = nonce } = receipt
        expectEqual(
          { hash, transactionIndex, from: String(from).toLowerCase(), type, nonce },
          {
            ...{ hash: receipt.transactionHash, transactionIndex: receipt.transactionIndex },
            ...{ from: String(receipt.from).toLowerCase(), type: receipt.type },
            nonce: depositNonce,
          },
          `transactions[${index}] of block ${Number(block.number)}`,
        )
      }
    },
  ),
  byReceipts(
    {
      id: 'rpc.block.receipts-bloom.01',
      title: 'logsBloom holds the logs of all receipts of the block',
      rules: ['RPC-BLK-10'],
      rationale: 'Rebuilt from eth_getBlockReceipts, for blocks with logs and without.',
    },
    ({ block, receipts }) => {
      const values = receipts.flatMap((receipt) => logsOf(receipt).flatMap(bloomValuesOf))
      const bloom = expectBytes(block.logsBloom, 'logsBloom', 256)
      expectEqual(bloom, bloomOf(values), 'logsBloom', `Block ${block.number}.`)
    },
  ),
  byReceipts(
    {
      id: 'rpc.block.receipts-gas.01',
      title: 'gasUsed is what the receipts of the block add up to',
      rules: ['RPC-BLK-20'],
      rationale: 'By eth_getBlockReceipts: each for itself, and as the sum that each carries.',
    },
    ({ block, receipts }) => {
      let sum = 0n
      for (const receipt of receipts) {
        sum += expectQuantity(receipt.gasUsed, 'receipt.gasUsed')
        const cumulative = expectQuantity(receipt.cumulativeGasUsed, 'receipt.cumulativeGasUsed')
        expectEqual(cumulative, sum, 'receipt.cumulativeGasUsed', `Block ${block.number}.`)
      }
      expectEqual(
        expectQuantity(block.gasUsed, 'gasUsed'),
        sum,
        'gasUsed',
        `Block ${block.number}.`,
      )
    },
  ),
  {
    id: 'rpc.block.withdrawals-proof.01',
    title: 'withdrawalsRoot is the storage root that eth_getProof gives of the message passer',
    area: 'block',
    rules: ['RPC-BLK-26'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'OP spec, Isthmus: the header carries the storage root of L2ToL1MessagePasser.',
    async run(t) {
      await t.scene(recentBlocks)
      const newest = seenSealed(t.seen).findLast(({ block }) => block.number !== '0x0')
      const block = newest?.block ?? notApplicable('No block was seen.')
      if (!isOfIsthmus(block)) notApplicable('It is no chain of the Isthmus fork or later.')
      const { number, withdrawalsRoot } = block
      const { body } = await t.rpc.call('eth_getProof', [MESSAGE_PASSER, [], number])
      if (!('result' in body)) notApplicable('The node does not serve eth_getProof.')
      const { storageHash } = expectObject(body.result, 'proof')
      expectEqual(withdrawalsRoot, expectHash(storageHash, 'storageHash'), 'withdrawalsRoot')
    },
  },
])

/** Its extraData is of Jovian; or of Holocene, and requests are of Prague, which came with Isthmus. */
function isOfIsthmus({ extraData, requestsHash }: JsonObject): boolean {
  const version = String(extraData).slice(0, 4)
  return version === '0x01' || (version === '0x00' && requestsHash !== undefined)
}

function logsOf(receipt: JsonObject): JsonObject[] {
  return expectArray(receipt.logs, 'receipt.logs').map((log) => expectObject(log, 'receipt.logs[]'))
}

function bloomValuesOf(log: JsonObject) {
  const topics = expectArray(log.topics, 'topics').map((topic) => expectHash(topic, 'topics[]'))
  return [expectAddress(log.address, 'address'), ...topics]
}

/** What a transaction with a fee of its own paid for gas (EIP-1559); undefined for the other types. */
function effectivePrice(transaction: JsonObject, block: JsonObject): bigint | undefined {
  if (transaction.type !== '0x2' && transaction.type !== '0x4') return undefined
  const most = expectQuantity(transaction.maxFeePerGas, 'maxFeePerGas')
  const tip = expectQuantity(transaction.maxPriorityFeePerGas, 'maxPriorityFeePerGas')
  const wanted = expectQuantity(block.baseFeePerGas, 'baseFeePerGas') + tip
  if (wanted > most) return most
  return wanted
}
