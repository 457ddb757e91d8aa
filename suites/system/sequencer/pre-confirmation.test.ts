import { describe, expect, it } from 'vitest'
import type { PendingBlock } from '#devnet/l2/node/chain-view'
import { PoolRejected } from '#devnet/l2/node/mempool/pool-rejected'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Block } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { randomSource } from '#suites/oracles/differential/random-source'
import { RandomLoad } from './random-load.ts'
import { startVirtualNode, type VirtualNode } from './virtual-node.ts'

const FLASHBLOCKS = 10

interface Run {
  /** All snapshots of one block, in order, with what they said when they were published. */
  blocks: { snapshots: { pending: PendingBlock; published: string }[]; sealed: Block | undefined }[]
  accounts(pending: PendingBlock): string
  rejected: Map<string, number>
  discarded: Map<string, number>
  tagsInOrder: boolean[]
  finalHash: Hash
}

function print(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item.toString() : item))
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function accountsOf({ node }: VirtualNode, { header }: PendingBlock): string {
  return print(userKeys.map(({ address }) => node.chain.account(header.stateRoot, address)))
}

/** `seconds` of a chain under random load. */
async function run(seed: number, seconds: number): Promise<Run> {
  const random = randomSource(seed)
  const load = new RandomLoad(random)
  const virtual = await startVirtualNode()
  const { node, clock, l1 } = virtual
  const blocks: Run['blocks'] = [{ snapshots: [], sealed: undefined }]
  const [rejected, discarded] = [new Map<string, number>(), new Map<string, number>()]
  const tagsInOrder: boolean[] = []
  const record = (pending: PendingBlock) =>
    blocks
      .at(-1)!
      .snapshots.push({ pending, published: print(pending) + accountsOf(virtual, pending) })
  record(node.chain.pending()!)
  node.chain.on('flashblock', record)
  node.chain.on('sealed', (sealed) => {
    blocks.at(-1)!.sealed = sealed
    blocks.push({ snapshots: [], sealed: undefined })
  })
  node.chain.on('discarded', ({ reason }) => count(discarded, reason.code))
  const canonical = () => node.chain.blockByNumber(BigInt(random.below(blocks.length)))
  for (let tick = 0; tick < (seconds * 1000) / 200; tick++) {
    for (let sent = random.below(7); sent > 0; sent--) {
      await node.chain.submit(load.next()).catch((error) => {
        if (!(error instanceof PoolRejected)) throw error
        count(rejected, error.code)
      })
    }
    if (random.oneIn(8)) {
      l1.deposit(1 + Math.floor(tick / 30), {
        from: random.pick(userKeys).address,
        to: random.pick(userKeys).address,
        mint: BigInt(random.below(1000)),
        value: BigInt(random.below(2000)),
        gas: 21_000n + BigInt(random.below(9)) * 10_000n,
      })
    }
    await clock.advance(200)
    const marked = canonical()
    if (marked && random.oneIn(4)) node.chain.markSafe(marked)
    if (marked && random.oneIn(8)) node.chain.markFinalized(marked)
    const { latest, safe, finalized } = node.chain
    const tags = [finalized, safe, latest].map((tag) => tag.call(node.chain).header.number)
    tagsInOrder.push(tags[0]! <= tags[1]! && tags[1]! <= tags[2]!)
  }
  const finalHash = node.chain.latest().hash
  await node.stop()
  return {
    blocks,
    rejected,
    discarded,
    tagsInOrder,
    finalHash,
    accounts: (pending) => accountsOf(virtual, pending),
  }
}

describe.each([1, 2, 3])('a chain under random load, seed %i', async (seed) => {
  const { blocks, rejected, discarded, tagsInOrder, finalHash, accounts } = await run(seed, 24)
  const complete = blocks.filter(({ sealed }) => sealed)
  const snapshots = blocks.flatMap((block) => block.snapshots.map(({ pending }) => pending))

  it('then the load is a real one: many transactions, failures, creations, 7702, deposits, refusals', () => {
    const receipts = complete.flatMap(({ sealed }) => sealed!.receipts)
    expect(receipts.length).toBeGreaterThan(200)
    expect(receipts.some(({ status }) => status === 0)).toBe(true)
    expect(receipts.some(({ contractAddress }) => contractAddress)).toBe(true)
    expect(receipts.some(({ logs }) => logs.length > 0)).toBe(true)
    expect(receipts.filter(({ type }) => type === 4).length).toBeGreaterThan(5)
    expect(receipts.filter(({ type }) => type === 0x7e).length).toBeGreaterThan(complete.length)
    expect(rejected.size).toBeGreaterThan(1)
    expect(discarded.size).toBeGreaterThan(0)
  })

  it('then each block has flashblocks 0 to 10, and 0 holds the deposits only', () => {
    expect(complete).toHaveLength(12)
    for (const block of complete) {
      const indexes = block.snapshots.map(({ pending }) => pending.flashblockIndex)
      expect(indexes).toEqual(Array.from({ length: FLASHBLOCKS + 1 }, (_, index) => index))
      const types = block.snapshots.map(({ pending }) =>
        pending.transactions.map(({ type }) => type),
      )
      expect(new Set(types[0])).toEqual(new Set([0x7e]))
      const deposits = types[0]!.length
      expect(types.at(-1)!.slice(deposits)).not.toContain(0x7e)
    }
  })

  it('then transactions, receipts and gas only grow within a block, up to the share (RPC-PEND-05, -06)', () => {
    for (const block of blocks) {
      block.snapshots.forEach(({ pending }, index) => {
        const before = block.snapshots[index - 1]?.pending
        const { transactions, receipts, header, flashblockIndex } = pending
        expect(pending.firstNewTransaction).toBe(before?.transactions.length ?? 0)
        expect(transactions.slice(0, pending.firstNewTransaction)).toEqual(
          before?.transactions ?? [],
        )
        expect(receipts.slice(0, pending.firstNewTransaction)).toEqual(before?.receipts ?? [])
        expect(header.gasUsed).toBe(receipts.at(-1)!.cumulativeGasUsed)
        expect(header.gasUsed).toBe(receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n))
        if (flashblockIndex > 0) {
          const share = (header.gasLimit * BigInt(flashblockIndex)) / BigInt(FLASHBLOCKS)
          expect(header.gasUsed).toBeLessThanOrEqual(share)
          expect(header.blobGasUsed).toBeLessThanOrEqual(share)
        }
      })
    }
  })

  it('then a sealed block is its last flashblock, header and all (RPC-PEND-12)', () => {
    for (const { snapshots: all, sealed } of complete) {
      const { header, transactions, receipts, size } = all.at(-1)!.pending
      expect(sealed).toEqual({ hash: sealed!.hash, header, transactions, receipts, size })
    }
  })

  it('then pending builds on the newest sealed block (RPC-PEND-13)', () => {
    blocks.slice(1).forEach(({ snapshots: all }, index) => {
      const parents = new Set(all.map(({ pending }) => pending.header.parentHash))
      expect(parents).toEqual(new Set([blocks[index]!.sealed!.hash]))
    })
  })

  it('then no snapshot ever changes, nor the state under it', () => {
    for (const { snapshots: all } of blocks) {
      for (const { pending, published } of all)
        expect(print(pending) + accounts(pending)).toBe(published)
    }
  })

  it('then nothing that was pre-confirmed is lost or stands twice', () => {
    const sealed = complete.flatMap((block) => block.sealed!.transactions.map(({ hash }) => hash))
    expect(new Set(sealed).size).toBe(sealed.length)
    const newest = new Set(snapshots.at(-1)!.transactions.map(({ hash }) => hash))
    const seen = new Set(
      snapshots.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)),
    )
    expect([...seen].filter((hash) => !sealed.includes(hash) && !newest.has(hash))).toEqual([])
  })

  it('then finalized ≤ safe ≤ latest at every moment', () => {
    expect(tagsInOrder).not.toContain(false)
  })

  it('when it runs again with the same seed, clock and inputs, then the blocks are the same', async () => {
    expect((await run(seed, 24)).finalHash).toBe(finalHash)
  })
})
