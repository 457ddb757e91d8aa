import { bytesToHex } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import { predeploys } from '#fixtures/chain/constants'
import type { Block } from '#protocol/types/block'
import { l1Hash } from './generated-l1.ts'
import { transfer } from './transfer.ts'
import { startVirtualNode } from './virtual-node.ts'

const user = `0x${'77'.repeat(20)}` as const

/** Number of the L1 origin and sequence number, from the packed call data of the attributes. */
function origin({ transactions }: Block): string {
  const data = bytesToHex(transactions[0]!.data)
  // OP specs, Ecotone: selector 4, scalars 8, sequence number 8, timestamp 8, number 8.
  const word = (start: number) => BigInt(`0x${data.slice(2 + 2 * start, 18 + 2 * start)}`)
  return `${word(28)}+${word(12)}`
}

describe('L1 origins', () => {
  it('given L1 blocks every 6 s, when 14 s pass, then each is the origin from its own time on', async () => {
    const { node, clock } = await startVirtualNode()
    await clock.advance(14_000)
    const blocks = [1n, 2n, 3n, 4n, 5n, 6n, 7n].map((number) => node.chain.blockByNumber(number)!)
    // A block is opened 2 s before its timestamp and knows only what L1 has by then.
    expect(blocks.map(origin)).toEqual(['0+1', '0+2', '0+3', '1+0', '1+1', '1+2', '2+0'])
    expect(blocks.map(({ header }) => header.mixHash)).toEqual(
      [0n, 0n, 0n, 1n, 1n, 1n, 2n].map((number) => l1Hash(number + 1_000_000n)),
    )
    await node.stop()
  })

  it('given a portal deposit, when its L1 block becomes the origin, then flashblock 0 mints it once', async () => {
    const { node, clock, l1 } = await startVirtualNode()
    l1.deposit(1, { from: user, to: user, mint: 5n, value: 3n, gas: 50_000n })
    await clock.advance(5_999)
    expect(node.chain.account(node.chain.pending()!.header.stateRoot, user)).toBeUndefined()
    await clock.advance(1)
    const pending = node.chain.pending()!
    expect(pending).toMatchObject({
      flashblockIndex: 0,
      transactions: [{}, { type: 0x7e, from: user }],
    })
    expect(node.chain.account(pending.header.stateRoot, user)?.balance).toBe(5n)
    await clock.advance(4_000)
    expect(node.chain.blockByNumber(4n)!.transactions).toHaveLength(2)
    expect(node.chain.blockByNumber(5n)!.transactions).toHaveLength(1)
    await node.stop()
  })

  it('given L1 stands still beyond the drift, when users send, then their transactions wait', async () => {
    const { node, clock, l1 } = await startVirtualNode({ manual: true, maxSequencerDrift: 20 })
    for (let number = 1; number < 10; number++) await node.seal()
    await node.chain.submit(transfer(0, 0))
    expect((await node.flashblock()).transactions).toHaveLength(2)
    await node.seal()
    await node.chain.submit(transfer(1, 0))
    expect((await node.flashblock()).transactions).toHaveLength(1)
    expect(node.pool.size).toBe(1)
    await clock.advance(12_000)
    expect(l1.head()).toBe(2n)
    // Block 11 was opened without L1 block 1; block 12 has it.
    await node.seal()
    await node.flashblock()
    const block = await node.seal()
    expect([origin(block), block.transactions.length]).toEqual(['1+0', 2])
    await node.stop()
  })
})

it('given an L2 block, then the L1-attributes deposit comes first and goes to L1Block', async () => {
  const { node } = await startVirtualNode({ manual: true })
  const [first] = node.chain.pending()!.transactions
  expect(first).toMatchObject({ type: 0x7e, to: predeploys.l1Block })
  await node.stop()
})
