import { toHex } from 'viem'
import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { getBlock, getLastBlocks, getSampleBlocks, getTip } from '../../reads/get-block.ts'
import { fullBlock } from '../../scenes/full-block.ts'
import { encodeTransaction } from '../../spec/encode-transaction.ts'
import { blockSize, headerHash } from '../../spec/header.ts'
import { indexedRoot } from '../../spec/indexed-root.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const SPAN = 12

export const cases = defineCases([
  {
    id: 'rpc.block.hash-of-header.01',
    title: 'hash is keccak256 of the RLP header made of the other members',
    area: 'block',
    rules: [
      'RPC-BLK-06',
      'RPC-BLK-12',
      'RPC-BLK-13',
      'RPC-BLK-17',
      'RPC-BLK-27',
      'RPC-BLK-28',
      'RPC-BLK-29',
      'RPC-BLK-31',
    ],
    needs: ['rpc'],
    rationale: 'The hash commits to every header member, so one wrong member shows here.',
    async run({ rpc }) {
      for (const block of [...(await getSampleBlocks(rpc)), ...(await getLastBlocks(rpc, 3))]) {
        expectEqual(block.hash, headerHash(block), 'block.hash', `Block ${block.number}.`)
      }
    },
  },
  {
    id: 'rpc.block.parent-links.01',
    title: 'parentHash is the hash of the block before',
    area: 'block',
    rules: ['RPC-BLK-07', 'RPC-BLK-05'],
    needs: ['rpc'],
    rationale: 'A chain is its parent links; reorg detection depends on them.',
    async run({ rpc }) {
      const blocks = await getLastBlocks(rpc, SPAN)
      for (const [index, block] of blocks.entries()) {
        const parent = blocks[index - 1]
        if (!parent) continue
        expectEqual(block.parentHash, parent.hash, 'parentHash')
        const height = expectQuantity(block.number, 'number')
        expectEqual(height, expectQuantity(parent.number, 'number') + 1n, 'number')
      }
    },
  },
  {
    id: 'rpc.block.number.01',
    title: 'number is the height that was asked for',
    area: 'block',
    rules: ['RPC-BLK-05'],
    needs: ['rpc'],
    rationale: 'Heights 255 and 256 tell hex from decimal where the chain is long enough.',
    async run({ rpc }) {
      const tip = await getTip(rpc)
      for (const height of [0n, 1n, 255n, 256n, tip].filter((each) => each <= tip)) {
        expectEqual((await getBlock(rpc, height)).number, `0x${height.toString(16)}`, 'number')
      }
    },
  },
  {
    id: 'rpc.block.none.01',
    title: 'A height above the tip gives null, not an error',
    area: 'block',
    rules: ['RPC-BLK-04'],
    needs: ['rpc'],
    rationale: 'Followers ask for the next block until it is there.',
    async run({ rpc }) {
      const above = `0x${((await getTip(rpc)) + 1000n).toString(16)}`
      expectEqual(await rpc.result('eth_getBlockByNumber', [above, false]), null, 'result')
    },
  },
  {
    id: 'rpc.block.none.02',
    title: 'Heights as large as numbers get give no block: none is a tag, or a lower height',
    area: 'block',
    rules: ['RPC-BLK-04', 'RPC-SEL-01'],
    needs: ['rpc'],
    rationale:
      'In 32 or 53 bits, or with a sign, such a height is another one, or a tag; beyond 63 bits some refuse it.',
    async run({ rpc }) {
      const tip = await getTip(rpc)
      for (const height of [2n ** 32n, 2n ** 53n, 2n ** 62n].map((each) => each + tip)) {
        const reply = await rpc.call('eth_getBlockByNumber', [toHex(height), false])
        expectEqual(resultOf(reply, 'eth_getBlockByNumber'), null, `block ${height}`)
      }
      const largest = [1n, 2n, 3n, 4n, 5n, 6n].map((below) => 2n ** 64n - below)
      for (const height of [...largest, 2n ** 63n - 1n, 2n ** 63n, 2n ** 63n + tip]) {
        const { body } = await rpc.call('eth_getBlockByNumber', [toHex(height), false])
        expectEqual(body.result ?? null, null, `block ${height}`)
      }
    },
  },
  {
    id: 'rpc.block.transactions-root.01',
    title: 'transactionsRoot is the root of the trie of the listed transactions',
    area: 'block',
    rules: ['RPC-BLK-11'],
    needs: ['rpc'],
    rationale: 'Rebuilt from full transactions by an independent encoder and trie.',
    async run({ rpc }) {
      // The first one too: how many blocks there are is a matter of the moment.
      for (const block of [
        ...(await getSampleBlocks(rpc, true)),
        ...(await getLastBlocks(rpc, 6, true)),
      ]) {
        const encoded = transactionsOf(block).map(encodeTransaction)
        expectEqual(block.transactionsRoot, await indexedRoot(encoded), 'transactionsRoot')
      }
    },
  },
  {
    id: 'rpc.block.roots-differ.01',
    title: 'State, transaction and receipt roots of a block are three different hashes',
    area: 'block',
    rules: ['RPC-BLK-12', 'RPC-BLK-13'],
    needs: ['rpc'],
    rationale: 'A root copied from another, or left zero, is the usual mistake.',
    async run({ rpc }) {
      const blocks = await getLastBlocks(rpc, SPAN)
      const block = blocks.findLast((each) => transactionHashes(each).length > 0)
      if (!block) notApplicable('None of the last blocks holds a transaction.')
      const zero = `0x${'00'.repeat(32)}`
      expectDifferent(block.receiptsRoot, block.transactionsRoot, 'receiptsRoot')
      expectDifferent(block.stateRoot, block.receiptsRoot, 'stateRoot')
      expectDifferent(block.stateRoot, zero, 'stateRoot')
      const parent = await getBlock(rpc, expectQuantity(block.number, 'number') - 1n)
      expectDifferent(block.stateRoot, parent.stateRoot, 'stateRoot of two blocks')
    },
  },
  {
    id: 'rpc.block.size.01',
    title: 'size is the length of the RLP block in bytes',
    area: 'block',
    rules: ['RPC-BLK-18'],
    needs: ['rpc'],
    rationale: 'Header, transactions, uncles and withdrawals, encoded independently.',
    async run({ rpc }) {
      for (const block of await getLastBlocks(rpc, 6, true)) {
        const encoded = transactionsOf(block).map(encodeTransaction)
        expectEqual(expectQuantity(block.size, 'size'), blockSize(block, encoded), 'size')
      }
    },
  },
  {
    id: 'rpc.block.gas-limit.01',
    title: 'gasLimit bounds gasUsed in every block',
    area: 'block',
    rules: ['RPC-BLK-19'],
    needs: ['rpc'],
    rationale: 'The limit is the most a block may use, not what it used.',
    async run({ rpc }) {
      let isOther = false
      for (const block of await getLastBlocks(rpc, SPAN)) {
        const limit = expectQuantity(block.gasLimit, 'gasLimit')
        const used = expectQuantity(block.gasUsed, 'gasUsed')
        expectThat(used <= limit, `gasUsed ${used}, or more`, limit, 'gasLimit')
        isOther ||= used < limit
      }
      // One block may be full to the last unit; not one after the other.
      expectThat(isOther, 'more than gasUsed in one of the blocks', 'gasUsed in each', 'gasLimit')
    },
  },
  {
    id: 'rpc.block.timestamp.01',
    title: 'timestamp of a fresh block is now, in seconds',
    area: 'block',
    rules: ['RPC-BLK-21'],
    needs: ['rpc'],
    rationale: 'Milliseconds instead of seconds puts a block 50,000 years away.',
    async run({ rpc, clock }) {
      const time = expectQuantity((await getBlock(rpc, 'latest')).timestamp, 'timestamp')
      const now = BigInt(Math.floor(clock.now() / 1000))
      expectThat(time > now - 60n && time < now + 60n, `within 60 s of ${now}`, time, 'timestamp')
    },
  },
  {
    id: 'rpc.block.base-fee.01',
    title: 'baseFeePerGas follows from the parent by EIP-1559',
    area: 'block',
    rules: ['RPC-BLK-27'],
    needs: ['rpc'],
    rationale: 'With the parameters the parent header itself carries (Holocene, Jovian).',
    async run({ rpc }) {
      const blocks = await getLastBlocks(rpc, SPAN)
      let judged = 0
      for (const [index, block] of blocks.entries()) {
        const next = blocks[index + 1]
        const expected = next && nextBaseFee(block)
        if (!next || expected === undefined) continue
        expectEqual(expectQuantity(next.baseFeePerGas, 'baseFeePerGas'), expected, 'baseFeePerGas')
        judged += 1
      }
      if (judged === 0) notApplicable('No header carries Holocene fee parameters.')
    },
  },
  {
    id: 'rpc.block.base-fee.02',
    title: 'baseFeePerGas rises after a block above the gas target, and falls after the next',
    area: 'block',
    rules: ['RPC-BLK-27'],
    needs: ['rpc', 'driver'],
    rationale: 'While it stands still, the base fee of a wrong parent is the right one.',
    async run(t) {
      const { blocks } = await t.scene(fullBlock)
      for (const [index, block] of blocks.slice(1).entries()) {
        const own = expectQuantity(block.baseFeePerGas, 'baseFeePerGas')
        const at = `baseFeePerGas of block ${block.number}`
        expectEqual(own, nextBaseFee(blocks[index]!), at)
      }
      const [full, next] = blocks.map(({ baseFeePerGas }) => BigInt(String(baseFeePerGas)))
      expectThat(next! > full!, `more than ${full}`, next, 'baseFeePerGas after a full block')
    },
  },
  {
    id: 'rpc.block.genesis-links.01',
    title: 'Blocks have rising timestamps and 32-byte parents from the first on',
    area: 'block',
    rules: ['RPC-BLK-07', 'RPC-BLK-21'],
    needs: ['rpc'],
    rationale:
      'The first block has a parent hash too; the clock stands still only within a second of today.',
    async run({ rpc, profile }) {
      expectHash((await getBlock(rpc, 0n)).parentHash, 'parentHash of block 0')
      const times = (await getLastBlocks(rpc, SPAN)).map((block) =>
        expectQuantity(block.timestamp, 'timestamp'),
      )
      // On today's chain up to five blocks share a second.
      const isLater = (time: bigint, before: bigint) =>
        time > before || (profile === 'today' && time === before)
      const rising = times.every((time, index) => index === 0 || isLater(time, times[index - 1]!))
      expectThat(rising, 'rising timestamps', times, 'timestamp')
    },
  },
])

function transactionHashes(block: Readonly<Record<string, unknown>>) {
  return expectArray(block.transactions, 'transactions')
}

function transactionsOf(block: Readonly<Record<string, unknown>>) {
  return expectArray(block.transactions, 'transactions').map((each, index) =>
    expectObject(each, `transactions[${index}]`),
  )
}
