import { hexToBytes } from '@ethereumjs/util'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { ChainEvents } from '#devnet/l2/node/chain-view'
import type { L1View } from '#devnet/l2/node/sequencer/l1-view'
import type { Node } from '#devnet/l2/node/start-node'
import { l2ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Address, Hex } from '#protocol/types/bytes'
import { signTransaction } from '#suites/oracles/differential/sign'
import { generatedL1 } from '../sequencer/generated-l1.ts'
import { transfer } from '../sequencer/transfer.ts'
import {
  GENESIS_TIME,
  L1_BLOCK_TIME,
  startVirtualNode,
  type VirtualNode,
} from '../sequencer/virtual-node.ts'

const someone: Address = `0x${'5a'.repeat(20)}`

/** What reads see at `latest` and at `pending`. */
function balances({ node: { chain } }: VirtualNode, address: Address) {
  return [chain.latest(), chain.pending()!].map(
    (block) => chain.account(chain.stateRootOf(block), address)?.balance ?? 0n,
  )
}

/** Names of the events of the chain, as they come. */
function recorded({ node: { chain } }: VirtualNode): string[] {
  const entries: string[] = []
  const names: (keyof ChainEvents)[] = ['flashblock', 'sealed', 'reorg', 'dropped', 'diverged']
  for (const name of names) chain.on(name, () => entries.push(name))
  return entries
}

describe('going back', () => {
  it('given somebody who spends what was pre-confirmed for them, when the chain goes on without that block, then both wait in the pool', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const key = `0x${'6b'.repeat(32)}` as const
    const { address } = privateKeyToAccount(key)
    const send = (privateKey: Hex, fields: { to: Address; value: bigint }) =>
      node.chain.submit(
        hexToBytes(
          signTransaction(privateKey, {
            ...{ ...fields, type: 'eip1559', chainId: l2ChainId, nonce: 0, gas: 21_000n },
            ...{ maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n },
          }),
        ),
      )
    const given = await send(userKeys[0]!.privateKey, { to: address, value: 10n ** 18n })
    await node.flashblock()
    const spent = await send(key, { to: someone, value: 10n ** 17n })
    await node.flashblock()

    await node.cheats.rollback(0, { repool: true })
    expect(node.chain.poolContent().pending.map(({ hash }) => hash)).toEqual([given, spent])

    await node.flashblock()
    expect(
      node.chain
        .pending()!
        .transactions.slice(1)
        .map(({ hash }) => hash),
    ).toEqual([given, spent])
    await node.stop()
  })

  it('given what cannot be taken back, when a block is gone, then it is told as discarded, with the reason', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const discarded: unknown[] = []
    node.chain.on('discarded', ({ transaction, reason }) =>
      discarded.push([transaction.hash, reason.code]),
    )
    const large = await node.chain.submit(transfer(0, 0, { gas: 25_000_000n }))
    for (let slot = 0; slot < 5; slot++) await node.flashblock()
    await node.seal()
    await node.cheats.setConditions({ gasLimit: 20_000_000n })

    await node.cheats.rollback(1, { repool: true })
    expect(discarded).toEqual([[large, 'EXCEEDS_BLOCK_GAS_LIMIT']])
    await node.stop()
  })

  it('given three blocks, when two are rolled back, then listeners hear of both and tags come down', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    const blocks = [await node.seal(), await node.seal(), await node.seal()]
    node.chain.markFinalized(blocks[2]!)
    const dropped = node.chain.pending()
    const entries = recorded(virtual)
    const heard: unknown[] = []
    node.chain.on('dropped', (pending) => heard.push(pending === dropped))
    node.chain.on('reorg', ({ removed }) => heard.push(removed.map(({ hash }) => hash)))
    await node.cheats.rollback(2)
    expect(entries).toEqual(['dropped', 'reorg', 'flashblock'])
    expect(heard).toEqual([true, [blocks[2]!.hash, blocks[1]!.hash]])
    const { chain } = node
    expect([chain.latest(), chain.safe(), chain.finalized()]).toEqual(Array(3).fill(blocks[0]))
    expect(chain.blockByHash(blocks[2]!.hash)).toBeUndefined()
    expect(chain.pending()!.header.number).toBe(2n)
    // What L1 knows is not what comes now.
    await node.seal()
    expect(chain.divergence()).toEqual({ since: 2n, cause: 'rollback' })
    await node.stop()
  })

  it.each([
    { sent: 1n, divergence: undefined },
    { sent: 2n, divergence: { since: 2n, cause: 'rollback' } },
  ])(
    'given batches up to block $sent, when blocks after 1 are replaced, then the chain diverges only where L1 may know them',
    async ({ sent, divergence }) => {
      const { node } = await startVirtualNode({ manual: true })
      for (let block = 0; block < 3; block++) await node.seal()
      node.chain.markSent(sent)
      await node.cheats.rollback(1)
      await node.cheats.rollback(1)
      await node.seal()
      expect(node.chain.divergence()).toEqual(divergence)
      await node.seal()
      expect(node.chain.divergence()).toEqual(divergence)
      await node.stop()
    },
  )

  it('given transactions in the blocks, when they are rolled back with repool, then the next block has them', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const hashes = [await node.chain.submit(transfer(0, 0))]
    await node.flashblock()
    await node.seal()
    hashes.push(await node.chain.submit(transfer(0, 1)))
    await node.flashblock()
    await node.cheats.rollback(1, { repool: true })
    expect(node.chain.findTransaction(hashes[0]!)).toBeUndefined()
    const { transactions } = await node.flashblock()
    expect(transactions.slice(1).map(({ hash }) => hash)).toEqual(hashes)
    await node.stop()
  })

  it('given a rollback without repool, when its sender sends the same again, then it is new', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const hash = await node.chain.submit(transfer(0, 0))
    await node.flashblock()
    await node.seal()
    await node.cheats.rollback(1)
    expect(node.pool.size).toBe(0)
    expect(await node.chain.submit(transfer(0, 0))).toBe(hash)
    await node.stop()
  })

  it('given a pooled transaction, when the nonce before it is rolled back, then it waits for it', async () => {
    const { node } = await startVirtualNode({ manual: true })
    await node.chain.submit(transfer(0, 0))
    await node.flashblock()
    await node.seal()
    await node.chain.submit(transfer(0, 1))
    expect(node.pool.content().pending).toHaveLength(1)
    await node.cheats.rollback(1)
    expect(node.pool.content()).toMatchObject({ pending: [], queued: [{ nonce: 1n }] })
    await node.stop()
  })

  it('given a reorg, when it is done, then as many blocks stand there under other hashes', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const old = [await node.seal(), await node.seal(), await node.seal()]
    await node.cheats.reorg(2, new Map())
    const now = [1n, 2n, 3n].map((number) => node.chain.blockByNumber(number)!.hash)
    expect(now[0]).toBe(old[0]!.hash)
    expect(now[1]).not.toBe(old[1]!.hash)
    expect(now[2]).not.toBe(old[2]!.hash)
    expect(node.chain.latest().header.number).toBe(3n)
    await node.stop()
  })

  it.each([
    ['reorgs', (node: Node) => node.cheats.reorg(1, new Map())],
    ['rollbacks with repool', (node: Node) => node.cheats.rollback(1, { repool: true })],
  ])(
    'given many %s between two blocks, when time goes on, then blocks have the time of the clock',
    async (_, replace) => {
      const { node, clock } = await startVirtualNode()
      await clock.advance(4_000)
      for (let count = 0; count < 8; count++) {
        await clock.advance(3_300)
        await replace(node)
      }
      await clock.advance(4_000)
      const behind = clock.now() - Number(node.chain.latest().header.timestamp) * 1_000
      expect(behind).toBeLessThan(2_000)
      expect(behind).toBeGreaterThanOrEqual(0)
      await node.stop()
    },
  )

  it('given L1 went on, when the chain goes back, then it takes up the old origin and follows again', async () => {
    const { node, clock } = await startVirtualNode()
    await clock.advance(20_000)
    const removed = await node.cheats.rollback(8)
    const again: string[] = []
    node.chain.on('sealed', ({ hash }) => again.push(hash))
    await clock.advance(16_000)
    // Block 3 is the same; later ones see newer L1 blocks earlier or at the same time.
    expect(again).toHaveLength(8)
    expect(node.chain.latest().header.timestamp).toBe(removed[0]!.header.timestamp)
    await node.stop()
  })

  it('given more blocks than there are, when rolled back, then that is an error and nothing changed', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const block = await node.seal()
    await expect(node.cheats.rollback(2)).rejects.toMatchObject({ code: 'ROLLBACK_TOO_DEEP' })
    expect(node.chain.latest()).toBe(block)
    await node.stop()
  })

  it('given a changed state at a snapshot, when it changes again and is reverted, then the first is back', async () => {
    const virtual = await startVirtualNode({ manual: true })
    const { node } = virtual
    await node.cheats.edit((state) => state.setBalance(someone, 1n))
    await node.chain.submit(transfer(0, 0))
    await node.flashblock()
    const id = await node.cheats.snapshot()
    const at = node.chain.latest()
    expect(at.transactions).toHaveLength(2)
    await node.cheats.edit((state) => state.setBalance(someone, 2n))
    await node.chain.submit(transfer(0, 1))
    expect(await node.cheats.revert(id)).toBe(true)
    expect(node.chain.latest()).toBe(at)
    expect(balances(virtual, someone)).toEqual([1n, 1n])
    expect(node.pool.size).toBe(0)
    expect(await node.cheats.revert(id)).toBe(false)
    await node.stop()
  })

  it('given snapshots in a row, when the first is reverted, then the later ones are gone', async () => {
    const { node } = await startVirtualNode({ manual: true })
    const [first, second] = [await node.cheats.snapshot(), await node.cheats.snapshot()]
    expect(await node.cheats.revert(first)).toBe(true)
    expect(await node.cheats.revert(second)).toBe(false)
    await node.stop()
  })
})

it('given a snapshot, when the chain goes back to it, then L1 is remembered before it is asked', async () => {
  const clock = new VirtualClock(GENESIS_TIME * 1000)
  const calls: [string, bigint][] = []
  const l1View: L1View = {
    ...generatedL1(clock, GENESIS_TIME, L1_BLOCK_TIME),
    remember: ({ number }) => void calls.push(['remember', number]),
    async recall({ number }) {
      calls.push(['recall', number])
    },
  }
  const { node } = await startVirtualNode({ clock, l1View, manual: true })
  const snapshot = await node.cheats.snapshot()
  await node.cheats.mine({ blocks: 1 })
  calls.length = 0
  expect(await node.cheats.revert(snapshot)).toBe(true)
  expect(calls).toEqual([
    ['remember', 0n],
    ['recall', 0n],
  ])
  await node.stop()
})
