import { describe, expect, it } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Address } from '#protocol/types/bytes'
import { transfer } from '../sequencer/transfer.ts'
import { GENESIS_TIME, startVirtualNode, type VirtualNode } from '../sequencer/virtual-node.ts'

const someone: Address = `0x${'5a'.repeat(20)}`
const alice = userKeys[0]!.address

/** What reads see at `latest` and at `pending`. */
function balances({ node: { chain } }: VirtualNode, address: Address) {
  return [chain.latest(), chain.pending()!].map(
    (block) => chain.account(chain.stateRootOf(block), address)?.balance ?? 0n,
  )
}

describe('changes of the state', () => {
  it('given a pre-confirmed transfer, when the balance is set, then it stays as set, and so does the receipt', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    const hash = await node.chain.submit(transfer(0, 0))
    const { receipts } = await node.flashblock()
    await node.cheats.edit((state) => state.setBalance(alice, 777n))
    expect(balances(virtual, alice)).toEqual([777n, 777n])
    expect(node.chain.pending()!.receipts).toEqual(receipts)
    const block = await node.seal()
    expect(node.chain.findTransaction(hash)?.block).toBe(block)
    expect(balances(virtual, alice)).toEqual([777n, 777n])
    await node.stop()
  })

  it('given a changed state, when its block is sealed, then the chain diverged there and not before', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    await node.seal()
    const before = node.chain.latest()
    await node.cheats.edit((state) => state.setBalance(someone, 1n))
    // The sealed block is what it was: only reads at it see the change.
    expect(node.chain.latest()).toBe(before)
    expect(node.chain.divergence()).toBeUndefined()
    await node.seal()
    await node.seal()
    expect(node.chain.divergence()).toEqual({ since: 2n, cause: 'state' })
    await node.stop()
  })

  it('given a lowered nonce, when a transaction waits for it, then it is executed', async () => {
    const { node } = await startVirtualNode({ manual: true })
    await node.cheats.setNonce(alice, 5n)
    await node.chain.submit(transfer(0, 7))
    await node.cheats.setNonce(alice, 7n)
    const { transactions } = await node.flashblock()
    expect(transactions.at(-1)).toMatchObject({ nonce: 7n, from: alice })
    await node.stop()
  })

  it('given the time runs, when cheats come at any moment, then flashblocks keep their times', async () => {
    const virtual = await startVirtualNode()
    const { node, clock, flashblocks } = virtual
    await clock.advance(300)
    await node.cheats.edit((state) => state.setBalance(someone, 9n))
    await clock.advance(1_700)
    expect(node.chain.latest().header).toMatchObject({
      number: 1n,
      timestamp: BigInt(GENESIS_TIME + 2),
    })
    expect(balances(virtual, someone)).toEqual([9n, 9n])
    // Ten by time, flashblocks 0 of two blocks, and one for the cheat.
    expect(flashblocks).toHaveLength(13)
    await node.stop()
  })
})

describe('block conditions', () => {
  it('given pre-confirmed transactions, when the time is moved, then they are sealed as they were first', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    await node.chain.submit(transfer(0, 0))
    await node.flashblock()
    await node.cheats.increaseTime(1000n)
    expect(node.chain.latest()).toMatchObject({
      header: { number: 1n, timestamp: BigInt(GENESIS_TIME + 2) },
      transactions: [{}, { from: alice }],
    })
    expect(node.chain.divergence()).toBeUndefined()
    const { header } = await node.seal()
    expect(header.timestamp).toBe(BigInt(GENESIS_TIME + 1004))
    expect(node.chain.divergence()).toEqual({ since: 2n, cause: 'timestamp' })
    await node.stop()
  })

  it('given the time runs and was moved, when it goes on, then blocks come at the usual pace', async () => {
    const { node, clock } = await startVirtualNode()
    await clock.advance(900)
    await node.cheats.increaseTime(1000n)
    const timestamps: number[] = []
    node.chain.on('sealed', ({ header }) =>
      timestamps.push(Number(header.timestamp) - GENESIS_TIME),
    )
    await clock.advance(6_000)
    expect(timestamps).toEqual([1002, 1004, 1006])
    await node.stop()
  })

  it('given the time runs, when blocks are mined, then the next ones follow at the usual pace and are derivable', async () => {
    const { node, clock } = await startVirtualNode()
    await node.cheats.mine({ blocks: 5 })
    const times: [bigint, number][] = []
    node.chain.on('sealed', ({ header }) => times.push([header.number, clock.now() / 1000]))
    await clock.advance(4_000)
    expect(times).toEqual([
      [6n, GENESIS_TIME + 2],
      [7n, GENESIS_TIME + 4],
    ])
    expect(node.chain.latest().header.timestamp).toBe(BigInt(GENESIS_TIME + 14))
    expect(node.chain.divergence()).toBeUndefined()
    await node.stop()
  })

  it('given interval mining of 5 s, when time runs, then blocks and their times are 5 s apart', async () => {
    const { node, clock } = await startVirtualNode()
    await node.cheats.setSealing({ by: 'time', blockTime: 5 })
    const sealed: number[] = []
    node.chain.on('sealed', () => sealed.push(clock.now() / 1000 - GENESIS_TIME))
    await clock.advance(15_000)
    expect(sealed).toEqual([5, 10, 15])
    expect(node.chain.latest().header.timestamp).toBe(BigInt(GENESIS_TIME + 15))
    await node.cheats.setSealing({ by: 'time', blockTime: 2 })
    await clock.advance(2_000)
    expect(node.chain.latest().header.timestamp).toBe(BigInt(GENESIS_TIME + 17))
    await node.stop()
  })

  it('given nothing seals, when time runs, then flashblocks go on and sealing can be taken up again', async () => {
    const { node, clock, flashblocks } = await startVirtualNode()
    await node.cheats.setSealing({ by: 'hand' })
    await clock.advance(10_000)
    await node.chain.submit(transfer(0, 0))
    await clock.advance(200)
    expect(node.chain.latest().header.number).toBe(0n)
    expect(flashblocks.at(-1)!.transactions).toHaveLength(2)
    await node.cheats.setSealing({ by: 'time', blockTime: 2 })
    await clock.advance(4_000)
    expect(node.chain.latest().header).toMatchObject({
      number: 2n,
      timestamp: BigInt(GENESIS_TIME + 4),
    })
    await node.stop()
  })
})

describe('without pre-confirmations', () => {
  it('given a changed balance, when it is spent, then the pool and the next block know it', async () => {
    const { node, clock } = await startVirtualNode({ preconfirmations: false })
    await node.cheats.edit((state) => state.setBalance(alice, 0n))
    await expect(node.chain.submit(transfer(0, 0))).rejects.toThrow('insufficient funds')
    await node.cheats.edit((state) => state.setBalance(alice, 10n ** 18n))
    const hash = await node.chain.submit(transfer(0, 0))
    await clock.advance(2_000)
    expect(node.chain.findTransaction(hash)?.block).toBe(node.chain.latest())
    expect(node.chain.pending()).toBeUndefined()
    await node.stop()
  })
})
