import { hexToBytes } from '@ethereumjs/util'
import { describe, expect, it } from 'vitest'
import type { OpenSnapshot } from '#devnet/l2/node/open-block/open-snapshot'
import { transfer } from './transfer.ts'
import { startVirtualNode } from './virtual-node.ts'

async function chainOfThree() {
  const { node } = await startVirtualNode({ manual: true })
  const genesis = node.chain.latest()
  const blocks = [genesis, await node.seal(), await node.seal(), await node.seal()]
  return { node, chain: node.chain, blocks }
}

describe('tags', () => {
  it('given nothing from L1, then safe and finalized are genesis (OPEN-10, OPEN-13)', async () => {
    const { chain, blocks, node } = await chainOfThree()
    expect([chain.latest(), chain.safe(), chain.finalized()]).toEqual([
      blocks[3],
      blocks[0],
      blocks[0],
    ])
    await node.stop()
  })

  it('given marks, when they repeat or go back, then the tags and their listeners stay', async () => {
    const { chain, blocks, node } = await chainOfThree()
    const heard: string[] = []
    chain.on('safe', ({ header }) => heard.push(`safe ${header.number}`))
    chain.on('finalized', ({ header }) => heard.push(`finalized ${header.number}`))
    chain.markSafe(blocks[2]!)
    chain.markSafe(blocks[2]!)
    chain.markSafe(blocks[1]!)
    chain.markFinalized(blocks[1]!)
    chain.markFinalized(blocks[3]!)
    expect(heard).toEqual(['safe 2', 'finalized 1', 'safe 3', 'finalized 3'])
    expect([chain.safe(), chain.finalized()]).toEqual([blocks[3], blocks[3]])
    await node.stop()
  })

  it('given a block of another chain, when it is marked, then that is an error', async () => {
    const { chain, blocks, node } = await chainOfThree()
    const foreign = { ...blocks[2]!, hash: blocks[1]!.hash }
    for (const mark of [() => chain.markSafe(foreign), () => chain.markFinalized(foreign)]) {
      expect(mark).toThrow(expect.objectContaining({ code: 'BLOCK_NOT_CANONICAL' }))
    }
    expect(chain.safe()).toBe(blocks[0])
    await node.stop()
  })
})

describe('publishing', () => {
  it('given a block or snapshot that is not on top, when published, then that is an error', async () => {
    const { chain, blocks, node } = await chainOfThree()
    const stale = { code: 'BLOCK_NOT_ON_TOP' }
    expect(() => chain.publishSealed(blocks[2]!)).toThrow(expect.objectContaining(stale))
    const { header } = blocks[2]!
    const pending = { ...(chain.pending() as OpenSnapshot), header }
    expect(() => chain.publishFlashblock(pending)).toThrow(expect.objectContaining(stale))
    expect(chain.latest()).toBe(blocks[3])
    await node.stop()
  })

  it('given a seal, when listeners run, then latest and pending already fit together (RPC-PEND-13)', async () => {
    const { chain, node } = await chainOfThree()
    const order: string[] = []
    const fits = () => chain.pending()!.header.parentHash === chain.latest().hash
    chain.on('sealed', (block) => order.push(`sealed ${block === chain.latest()} ${fits()}`))
    chain.on('flashblock', ({ flashblockIndex }) => order.push(`${flashblockIndex} ${fits()}`))
    await node.flashblock()
    await node.seal()
    expect(order).toEqual(['1 true', 'sealed true true', '0 true'])
    await node.stop()
  })

  it('given a listener that fails, when a block is sealed, then the chain goes on', async () => {
    const { chain, node } = await chainOfThree()
    chain.on('sealed', () => {
      throw new Error('broken')
    })
    expect((await node.seal()).header.number).toBe(4n)
    await node.stop()
  })
})

describe('submission', () => {
  it.each([
    ['nothing', new Uint8Array(0), { name: 'TransactionMalformed' }],
    ['noise', Uint8Array.of(0x02, 0xc1, 0x01), { name: 'TransactionMalformed' }],
    ['a blob transaction', Uint8Array.of(0x03), { message: 'transaction type not supported' }],
    ['an unknown type', Uint8Array.of(0x50), { message: 'transaction type not supported' }],
    ['a signature of nobody', nobody(), { code: 'SENDER_INVALID', message: 'invalid sender' }],
  ])('given %s, when submitted, then it is refused', async (_, raw, expected) => {
    const { node } = await startVirtualNode({ manual: true })
    await expect(node.chain.submit(raw)).rejects.toMatchObject(expected)
    await node.stop()
  })

  it('given one transaction twice at once, when submitted, then one is already known', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const results = await Promise.allSettled([0, 1].map(() => node.chain.submit(transfer(0, 0))))
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: 'already known' } },
    ])
    await node.stop()
  })
})

/** A legacy transaction whose r and s are zero. */
function nobody(): Uint8Array {
  return hexToBytes(`0xdf80808252089400000000000000000000000000000000000000008080${'1b8080'}`)
}
