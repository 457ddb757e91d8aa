import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeptDatabase } from '#devnet/base/process/kept-database'
import { Slices } from '#devnet/base/process/slices'
import { KeptChain } from '#devnet/l2/node/chain/kept-chain'
import type { Node } from '#devnet/l2/node/start-node'
import { collectState } from '#devnet/l2/node/state/state-dump'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Address } from '#protocol/types/bytes'
import { transfer } from '../sequencer/transfer.ts'
import { startVirtualNode } from '../sequencer/virtual-node.ts'

const TARGET: Address = `0x${'42'.repeat(20)}`

let folder: string
let ends: (() => Promise<void> | void)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-kept-'))
})
afterEach(async () => {
  await end()
  rmSync(folder, { recursive: true, force: true })
})

async function end(): Promise<void> {
  for (const each of ends.splice(0).reverse()) await each()
}

/** Begins, or goes on with what the last one left. */
async function start(): Promise<Node> {
  await end()
  const kept = new KeptChain(new KeptDatabase(join(folder, 'l2.sqlite')))
  const { node } = await startVirtualNode({ manual: true, kept })
  ends = [() => kept.close(), () => node.stop()]
  return node
}

async function seal(node: Node, nonces: number[]): Promise<void> {
  for (const nonce of nonces) await node.chain.submit(transfer(0, nonce))
  await node.flashblock()
  await node.seal()
}

const balanceAt = ({ chain }: Node, number: bigint) =>
  chain.account(chain.stateRootOf(chain.blockByNumber(number)!), TARGET)?.balance ?? 0n

test('given a node that ended, when it goes on, then every block, receipt and state is as it was', async () => {
  const first = await start()
  for (let number = 0; number < 300; number++) await seal(first, number % 10 ? [] : [number / 10])
  const { chain } = first
  chain.markFinalized(chain.blockByNumber(200n)!)
  const blocks = [0n, 1n, 11n, 150n, 300n].map((number) => chain.blockByNumber(number)!)

  const { chain: again } = await start()
  expect(again.latest()).toEqual(blocks.at(-1))
  expect([again.safe(), again.finalized()].map(({ header }) => header.number)).toEqual([200n, 200n])
  for (const block of blocks) expect(again.blockByHash(block.hash)).toEqual(block)
  const node = await start()
  expect([0n, 1n, 10n, 11n, 300n].map((number) => balanceAt(node, number))).toEqual([
    ...[0n, 1n, 1n, 2n, 30n],
  ])
  // All of the first and of the newest state.
  for (const block of [blocks[0]!, blocks.at(-1)!]) {
    collectState(node.chain.store, node.chain.chainId, block.header.stateRoot)
  }
  expect(node.chain.isStatePruned(1n)).toBe(false)
  await seal(node, [30])
  expect(balanceAt(node, 301n)).toBe(31n)
})

test('given cheats, when the node goes on, then their states and the divergence are there', async () => {
  const first = await start()
  await seal(first, [0])
  await first.cheats.edit((state) => state.setBalance(TARGET, 77n))
  const second = await start()
  expect(balanceAt(second, 1n)).toBe(77n)
  expect(second.chain.divergence()).toBeUndefined()
  await seal(second, [1])
  const third = await start()
  expect([balanceAt(third, 1n), balanceAt(third, 2n)]).toEqual([77n, 78n])
  expect(third.chain.divergence()).toEqual({ since: 2n, cause: 'state' })
  await third.cheats.rollback(2)
  const fourth = await start()
  expect([fourth.chain.latest().header.number, fourth.chain.divergence()]).toEqual([0n, undefined])
  await seal(fourth, [0])
  expect(balanceAt(fourth, 1n)).toBe(1n)
})

test('given a state that was loaded, when the node goes on, then all of it is there', async () => {
  const first = await start()
  await first.cheats.edit((state) => state.setBalance(TARGET, 99n))
  await seal(first, [0])
  const { chainId } = first.chain
  const { values, stateRoot } = collectState(
    first.chain.store,
    chainId,
    first.chain.latest().header.stateRoot,
  )
  rmSync(folder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'rollbed-kept-'))
  const second = await start()
  const pieces = async function* () {
    for (const value of values) yield [value]
  }
  await second.cheats.loadState({ chainId, stateRoot, pieces }, new Slices(new VirtualClock()))
  expect(balanceAt(second, 0n)).toBe(100n)
  const third = await start()
  expect(balanceAt(third, 0n)).toBe(100n)
  expect(collectState(third.chain.store, chainId, stateRoot).values).toHaveLength(values.length)
})

test('given a block that was not written whole, when the node goes on, then it was never sealed', async () => {
  const first = await start()
  await seal(first, [0])
  const { store } = first.chain
  const put = store.put.bind(store)
  // The disk is full when the state of the next block comes.
  Object.assign(store, {
    keep: () => {
      throw new Error('database or disk is full')
    },
    put,
  })
  await expect(seal(first, [1])).rejects.toMatchObject({ code: 'HISTORY_NOT_WRITTEN' })
  const again = await start()
  expect(again.chain.latest().header.number).toBe(1n)
  await seal(again, [1])
  expect(balanceAt(again, 2n)).toBe(2n)
})
