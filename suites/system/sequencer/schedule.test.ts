import { describe, expect, it } from 'vitest'
import type { PendingBlock } from '#devnet/l2/node/chain-view'
import { sleep } from '#protocol/clock/clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { transfer } from './transfer.ts'
import { unrulyExecutor } from './unruly-executor.ts'
import { GENESIS_TIME, startVirtualNode, type VirtualNode } from './virtual-node.ts'

/** block.flashblock@milliseconds since genesis:user transactions */
function timeline({ node, clock }: VirtualNode): string[] {
  const entries: string[] = []
  node.chain.on('flashblock', ({ header, flashblockIndex, transactions }: PendingBlock) => {
    const time = clock.now() - GENESIS_TIME * 1000
    entries.push(`${header.number}.${flashblockIndex}@${time}:${transactions.length - 1}`)
  })
  return entries
}

/** Executing a user's transaction takes this long. */
async function slowNode(milliseconds: number): Promise<VirtualNode> {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  const executor = await unrulyExecutor((transaction) =>
    transaction.type === 0x7e ? undefined : sleep(clock, milliseconds),
  )
  return startVirtualNode({ clock, executor })
}

describe('the schedule', () => {
  it('given an idle chain, when 4 s pass, then there is a flashblock every 200 ms and a block every 2 s', async () => {
    const virtual = await startVirtualNode()
    const entries = timeline(virtual)
    await virtual.clock.advance(4_000)
    const block = (number: number, start: number) =>
      Array.from({ length: 10 }, (_, i) => `${number}.${i + 1}@${start + 200 * (i + 1)}:0`)
    expect(entries).toEqual([...block(1, 0), '2.0@2000:0', ...block(2, 2_000), '3.0@4000:0'])
    expect(virtual.node.chain.latest().header).toMatchObject({
      number: 2n,
      timestamp: BigInt(GENESIS_TIME + 4),
    })
    await virtual.node.stop()
  })

  it('given a transaction, when a flashblock later, then it is pre-confirmed and not in latest', async () => {
    const { node, clock } = await startVirtualNode()
    const hash = await node.chain.submit(transfer(0, 0))
    expect(node.chain.findTransaction(hash)).toBeUndefined()
    expect(node.chain.pooledTransaction(hash)?.hash).toBe(hash)
    await clock.advance(200)
    expect(node.chain.findTransaction(hash)).toEqual({ block: node.chain.pending(), index: 1 })
    expect(node.chain.pooledTransaction(hash)).toBeUndefined()
    expect(node.chain.latest().header.number).toBe(0n)
    await clock.advance(1_800)
    expect(node.chain.findTransaction(hash)).toEqual({ block: node.chain.latest(), index: 1 })
    await node.stop()
  })

  it('given execution slower than a tick, when flashblocks fall due meanwhile, then they are skipped', async () => {
    const virtual = await slowNode(450)
    const entries = timeline(virtual)
    for (const nonce of [0, 1, 2]) await virtual.node.chain.submit(transfer(0, nonce))
    await virtual.clock.advance(2_400)
    // Each tick has time for one transaction; 400 and 600 pass while the first is executed.
    expect(entries).toEqual([
      '1.1@650:1',
      '1.2@1250:2',
      '1.3@1850:3',
      '1.4@2000:3',
      '2.0@2000:0',
      '2.1@2200:0',
      '2.2@2400:0',
    ])
    await virtual.node.stop()
  })

  it('given a stall of 11 s, when it is over, then blocks catch up with timestamps on schedule', async () => {
    const virtual = await slowNode(11_000)
    const { node, clock } = virtual
    const entries = timeline(virtual)
    const hash = await node.chain.submit(transfer(0, 0))
    await clock.advance(11_199)
    expect(entries).toEqual([])
    await clock.advance(1)
    expect(node.chain.latest().header).toMatchObject({
      number: 5n,
      timestamp: BigInt(GENESIS_TIME + 10),
    })
    for (let number = 1n; number <= 5n; number++) {
      const { header } = node.chain.blockByNumber(number)!
      expect(header.timestamp).toBe(BigInt(GENESIS_TIME) + 2n * number)
    }
    expect(node.chain.findTransaction(hash)?.block).toBe(node.chain.blockByNumber(1n))
    await clock.advance(600)
    expect(entries.slice(-3)).toEqual(
      [1, 2, 3].map((index) => `6.${index}@${11_200 + 200 * index}:0`),
    )
    await node.stop()
  })

  it('given the next block cannot be opened for a while, when it can, then blocks catch up', async () => {
    let broken = false
    const executor = await unrulyExecutor(() => {
      if (broken) throw new Error('no memory')
    })
    const { node, clock } = await startVirtualNode({ executor })
    await clock.advance(1_000)
    broken = true
    await clock.advance(4_000)
    expect(node.chain.latest().header.number).toBe(1n)
    expect(node.chain.pending()).toBeUndefined()
    broken = false
    await clock.advance(200)
    expect(node.chain.latest().header.number).toBe(2n)
    expect(node.chain.pending()?.header.number).toBe(3n)
    await node.stop()
  })

  it('given it is stopped, when time goes on, then nothing happens', async () => {
    const { node, clock, flashblocks } = await startVirtualNode()
    await node.stop()
    await clock.advance(10_000)
    expect(flashblocks).toHaveLength(1)
    expect(clock.nextAlarm()).toBeUndefined()
  })
})

describe('by hand', () => {
  it('given manual mode, when time passes, then only flashblock() and seal() move the chain', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node, clock } = virtual
    const entries = timeline(virtual)
    const [first, second] = [await node.chain.submit(transfer(0, 0)), transfer(0, 1)]
    await clock.advance(60_000)
    expect(entries).toEqual([])
    await node.flashblock()
    await node.chain.submit(second)
    const block = await node.seal()
    expect(block.transactions.map(({ hash }) => hash)).toEqual([expect.any(String), first])
    expect(block.header.timestamp).toBe(BigInt(GENESIS_TIME + 2))
    expect(node.chain.latest()).toBe(block)
    await node.flashblock()
    expect(entries).toEqual(['1.1@60000:1', '2.0@60000:0', '2.1@60000:1'])
    await node.stop()
  })

  it('given steps asked for at once, when they run, then one runs after the other', async () => {
    const { node, flashblocks } = await startVirtualNode({ manual: true })
    await Promise.all([node.flashblock(), node.seal(), node.flashblock(), node.seal()])
    const indexes = flashblocks.map((each) => `${each.header.number}.${each.flashblockIndex}`)
    expect(indexes).toEqual(['1.0', '1.1', '2.0', '2.1', '3.0'])
    await node.stop()
  })
})

describe('without pre-confirmations', () => {
  it('given a transaction, when its block is sealed, then it shows for the first time', async () => {
    const { node, clock, flashblocks } = await startVirtualNode({ preconfirmations: false })
    const hash = await node.chain.submit(transfer(0, 0))
    await clock.advance(1_999)
    expect(node.chain.pending()).toBeUndefined()
    expect(node.chain.pooledTransaction(hash)?.hash).toBe(hash)
    await clock.advance(1)
    expect(node.chain.findTransaction(hash)?.block).toBe(node.chain.latest())
    expect(node.chain.pooledTransaction(hash)).toBeUndefined()
    expect([node.chain.pending(), flashblocks]).toEqual([undefined, []])
    await expect(node.chain.submit(transfer(0, 0))).rejects.toThrow(/^nonce too low/)
    await node.stop()
  })
})
