import { bytesToHex } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Branch } from '#devnet/l2/node/branches/branch'
import type { ChainView } from '#devnet/l2/node/chain-view'
import type { Node } from '#devnet/l2/node/start-node'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Address } from '#protocol/types/bytes'
import { randomSource } from '#suites/oracles/differential/random-source'
import { drawCount, drawnBy } from '#suites/weather/drawn-by'
import { RandomLoad } from '../sequencer/random-load.ts'
import { transfer } from '../sequencer/transfer.ts'
import { startVirtualNode, type VirtualNode } from '../sequencer/virtual-node.ts'
import '#suites/property-seed'

const TARGET: Address = `0x${'42'.repeat(20)}`
/** Calldata that uses a megagas up by itself. */
const ZEROS = bytesToHex(new Uint8Array(100_000))

type Step =
  | { act: 'load'; count: number }
  | { act: 'fill'; count: number; tip: number }
  | { act: 'skip a nonce' }
  | { act: 'deposit'; value: number }
  | { act: 'give'; value: number }
  | { act: 'base fee'; fee: number }
  | { act: 'gas limit'; million: number }
  | { act: 'wait'; milliseconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('load' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    act: fc.constant('fill' as const),
    count: fc.integer({ min: 1, max: 30 }),
    tip: fc.nat(1_000_000),
  }),
  fc.record({ act: fc.constant('skip a nonce' as const) }),
  fc.record({ act: fc.constant('deposit' as const), value: fc.nat(1_000) }),
  fc.record({ act: fc.constant('give' as const), value: fc.nat(1_000_000) }),
  fc.record({ act: fc.constant('base fee' as const), fee: fc.nat(1_000_000_000) }),
  fc.record({
    act: fc.constant('gas limit' as const),
    million: fc.integer({ min: 20, max: 90 }),
  }),
  fc.record({ act: fc.constant('wait' as const), milliseconds: fc.nat(2_500) }),
  fc.record({ act: fc.constant('wait' as const), milliseconds: fc.nat(2_500) }),
)

test('given any gas, flashblock time, slot and pool, when a branch is made, then it equals its parent to the byte, and so does the block that both seal', async () => {
  const flashblockTime = fc.constantFrom(100, 200, 250, 500, 1_000, 2_000)
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      flashblockTime,
      fc.nat(),
      async (steps, time, seed) => {
        const virtual = await startVirtualNode({ flashblockTime: time })
        const { node } = virtual
        const load = new RandomLoad(randomSource(seed))
        for (const each of steps) await act(virtual, load, each)
        // Of a branch of a branch, too: nothing gets lost on the way.
        const first = node.branches.create('pending')
        const pool = pooled(node)
        await first.open()
        const second = node.branches.create('pending', { from: first })
        await second.open()
        for (const branch of [first, second]) {
          expect(shown(branch.chain)).toEqual(shown(node.chain))
          expect(pooled(branch)).toEqual(pool)
        }
        const sealed = await node.seal()
        for (const branch of [first, second]) {
          expect((await branch.cheats.seal()).hash).toBe(sealed.hash)
          // The base fee, the gas limit and what else cheats prescribe last as long on both.
          expect(conditions(branch.chain)).toEqual(conditions(node.chain))
        }
        await node.stop()
      },
    ),
    { numRuns: drawCount(drawnBy, 30, 1 / 3) },
  )
})

test('given a block that is nearly full by its second flashblock, when a branch is made, then it has all of it, and new transactions are pre-confirmed at once', async () => {
  const { node, clock } = await startVirtualNode()
  for (let nonce = 0; nonce < 45; nonce++) {
    await node.chain.submit(transfer(0, nonce, { gas: 1_100_000n, data: ZEROS }))
  }
  await clock.advance(1_800)
  const branch = node.branches.create('pending')
  await branch.open()
  expect(branch.chain.pending()!.transactions).toHaveLength(46)
  const hash = await branch.chain.submit(transfer(1, 0))
  await clock.advance(200)
  expect(branch.chain.findTransaction(hash)?.block).toBe(branch.chain.pending())
  await node.stop()
})

async function act({ node, clock, l1 }: VirtualNode, load: RandomLoad, step: Step): Promise<void> {
  const { chain, cheats } = node
  switch (step.act) {
    case 'load':
      for (let sent = 0; sent < step.count; sent++) await chain.submit(load.next()).catch(() => {})
      return
    case 'fill': {
      const root = chain.pending()!.header.stateRoot
      const { address } = userKeys[0]!
      const from = chain.nextPoolNonce(address) ?? chain.account(root, address)?.nonce ?? 0n
      for (let sent = 0; sent < step.count; sent++) {
        const fields = { gas: 1_100_000n, data: ZEROS, tip: BigInt(step.tip) }
        await chain.submit(transfer(0, Number(from) + sent, fields)).catch(() => {})
      }
      return
    }
    case 'skip a nonce':
      await chain.submit(transfer(1, 200)).catch(() => {})
      return
    case 'deposit': {
      const to = TARGET
      const value = BigInt(step.value)
      const from = userKeys[2]!.address
      l1.deposit(Number(l1.head()) + 1, { from, to, mint: value, value, gas: 50_000n })
      return
    }
    case 'give':
      return cheats.edit(async (state) =>
        state.setBalance(TARGET, (await state.getBalance(TARGET)) + BigInt(step.value)),
      )
    case 'base fee':
      return cheats.setConditions({ baseFeePerGas: BigInt(step.fee) })
    case 'gas limit':
      return cheats.setConditions({ gasLimit: BigInt(step.million) * 1_000_000n })
    case 'wait':
      return clock.advance(step.milliseconds)
  }
}

/** All that readers can know of the chain at its newest blocks, of the accounts and of the pool. */
function shown(chain: ChainView) {
  const [latest, pending] = [chain.latest(), chain.pending()!]
  const { flashblockIndex, header, transactions, receipts, size } = pending
  const roots = [chain.stateRootOf(latest), chain.stateRootOf(pending)]
  return {
    latest,
    pending: { flashblockIndex, header, transactions, receipts, size },
    roots,
    accounts: roots.map((root) =>
      [...userKeys.map(({ address }) => address), TARGET].map((address) => ({
        account: chain.account(root, address),
        next: chain.nextPoolNonce(address),
      })),
    ),
    found: transactions.map(({ hash }) => chain.findTransaction(hash)?.index),
    heads: [chain.safe().hash, chain.finalized().hash],
  }
}

const pooled = ({ chain }: Node | Branch) => chain.poolContent()

const conditions = (chain: ChainView) => {
  const { gasLimit, miner, baseFeePerGas, number } = chain.pending()!.header
  return { gasLimit, miner, baseFeePerGas, number }
}
