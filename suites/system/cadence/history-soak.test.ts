import { expect, test } from 'vitest'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { errorOf } from '#devnet/l2/node/rpc/testing/test-node'
import type { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { ExecutionConfig } from '#protocol/types/execution-config'
import { drawCount, drawnBy } from '#suites/weather/drawn-by'
import { transfer } from '../sequencer/transfer.ts'
import { startVirtualNode, type VirtualNode } from '../sequencer/virtual-node.ts'
import { countStateValues } from './count-state-values.ts'

const HISTORY = 256
const FINALITY_LAG = 30
/** Blocks from the first measurement to the last: nearly twice the history, for the night four times. */
const LATER = drawCount(drawnBy, 1_000, 0.45)
const USERS = userKeys.map(({ address }) => address)

/** The node's JSON-RPC methods. */
async function methodsOf({ node, clock }: VirtualNode) {
  const { chain } = node
  const config: ExecutionConfig = { chainId: chain.chainId, fork: 'jovian' }
  const runners = await createInlineRunners(chain, config)
  const methods = nodeMethods({ chain, config, ...runners, clock })
  return async (method: string, ...params: unknown[]) => {
    const result = await methods[method]!(params, { signal: new AbortController().signal })
    // As a caller sees it: some results are text already.
    return JSON.parse(JSON.stringify(result ?? null)) as unknown
  }
}

/** Blocks with some transfers each, and now and then a cheat and a rollback. */
async function grow({ node, clock }: VirtualNode, nonces: number[], blocks: number): Promise<void> {
  const { chain, cheats } = node
  for (let i = 0; i < blocks; i++) {
    const number = Number(chain.latest().header.number)
    for (const user of [number % 10, (number * 7 + 3) % 10]) {
      await chain.submit(transfer(user, nonces[user]!++, { value: BigInt(number + 1) }))
    }
    await node.flashblock()
    if (i % 40 === 7) {
      await cheats.edit((state) => state.setBalance(USERS[0]!, 10n ** 24n + BigInt(number)))
    }
    await clock.advance(2_000)
    await node.seal()
    if (i % 50 === 9) {
      await cheats.rollback(2)
      USERS.forEach((user, index) => {
        const { header } = chain.pending()!
        nonces[index] = Number(chain.account(header.stateRoot, user)?.nonce ?? 0n)
      })
    }
    const latest = chain.latest().header.number
    const finalized = chain.blockByNumber(latest - BigInt(FINALITY_LAG))
    if (finalized && latest % 10n === 0n) chain.markFinalized(finalized)
  }
}

test('given blocks for an hour, when the history is full, then no state grows but the newest, and every block is still there', async () => {
  const virtual = await startVirtualNode({ manual: true, historyBlocks: HISTORY })
  const { chain } = virtual.node
  const store = chain.store as PrunedStore
  const nonces = USERS.map(() => 0)
  /** Blocks whose state is kept, and values beside those of the newest state. */
  const measure = () => {
    const latest = chain.latest().header
    let states = 0
    let hash = chain.latest().hash
    for (let number = latest.number; number >= 0n; number--) {
      const block = chain.blockByNumber(number)!
      expect(block.hash).toBe(hash)
      hash = block.header.parentHash
      if (!chain.isStatePruned(number)) states++
    }
    return { states, values: store.size - countStateValues(store, latest.stateRoot) }
  }

  await grow(virtual, nonces, 500)
  const early = measure()
  await grow(virtual, nonces, LATER)
  const late = measure()
  expect(early.states).toBe(HISTORY + 1)
  expect(late.states).toBe(HISTORY + 1)
  expect(late.values).toBeLessThan(early.values * 1.05)

  // Every kept state is complete, and genesis with them.
  const latest = chain.latest().header.number
  for (const number of [0n, latest - BigInt(HISTORY) + 1n, latest - 100n, latest]) {
    const root = chain.stateRootOf(chain.blockByNumber(number)!)
    for (const user of USERS) expect(chain.account(root, user)?.balance).toBeGreaterThan(0n)
  }
  await virtual.node.stop()
})

test('given finality that stalls, then states stay until it goes on, and leave a few at a time', async () => {
  const virtual = await startVirtualNode({ manual: true, historyBlocks: HISTORY })
  const { chain } = virtual.node
  const seal = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await virtual.clock.advance(2_000)
      await virtual.node.seal()
    }
  }
  await seal(300)
  expect(chain.isStatePruned(1n)).toBe(false)
  chain.markFinalized(chain.latest())
  await seal(1)
  expect([chain.isStatePruned(16n), chain.isStatePruned(17n)]).toEqual([true, false])
  await seal(10)
  expect([chain.isStatePruned(55n), chain.isStatePruned(56n)]).toEqual([true, false])

  const rpc = await methodsOf(virtual)
  const pruned = { code: 4444, message: 'pruned history unavailable' }
  const balance = (block: unknown) => rpc('eth_getBalance', USERS[0], block)
  expect(await errorOf(balance('0x37'))).toMatchObject(pruned)
  expect(await errorOf(rpc('eth_call', { to: USERS[0] }, '0x37'))).toMatchObject(pruned)
  const old = (await rpc('eth_getBlockByNumber', '0x37', false)) as { hash: string }
  expect(await errorOf(balance({ blockHash: old.hash }))).toMatchObject(pruned)
  const logs = (fromBlock: string) => rpc('eth_getLogs', { fromBlock, toBlock: 'latest' })
  expect(await logs('0x37')).toEqual([])
  expect(await balance('0x38')).toBe(await balance('earliest'))
  expect(await rpc('eth_getBlockByNumber', '0x400', false)).toBeNull()
  await virtual.node.stop()
})

test('given a chain that L1 does not know, whose blocks are never final, then its history is bounded too', async () => {
  const virtual = await startVirtualNode({ manual: true, historyBlocks: HISTORY })
  const { chain, cheats } = virtual.node
  await cheats.edit((state) => state.setBalance(USERS[0]!, 1n))
  for (let i = 0; i < HISTORY + 50; i++) {
    await virtual.clock.advance(2_000)
    await virtual.node.seal()
  }
  expect(chain.divergence()?.since).toBe(1n)
  expect([chain.isStatePruned(50n), chain.isStatePruned(51n)]).toEqual([true, false])
  await expect(cheats.rollback(HISTORY + 10)).rejects.toMatchObject({ code: 'STATE_PRUNED' })
  await virtual.node.stop()
})

test('given a history shorter than what BLOCKHASH reaches, then the node does not start', async () => {
  await expect(startVirtualNode({ historyBlocks: 255 })).rejects.toMatchObject({
    code: 'HISTORY_TOO_SHORT',
  })
})
