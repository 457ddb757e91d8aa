import { cannotJudge } from '../../case-failure.ts'
import type { Scene } from '../../conformance-case.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { expectArray } from '../../matchers/expect-shape.ts'
import { getBlock } from '../../reads/get-block.ts'
import type { Hex } from '../../wire/hex.ts'

/** A range wide enough that two runs on one chain seldom send the same transaction. */
const GAPS = 1_000_000

/** A transaction whose nonce leaves a gap, so that it cannot be pre-confirmed. */
const heldBack: Scene<Hex> = {
  name: 'held-back transaction',
  kind: 'fact',
  build: ({ driver, clock }) =>
    driver.send({
      account: 7,
      to: driver.accounts[7]!,
      nonceGap: 1 + (Math.floor(clock.now()) % GAPS),
    }),
}

export const cases = defineCases([
  {
    id: 'rpc.pending.pool-apart.01',
    title: 'A transaction that waits in the pool is not listed in pending',
    area: 'pending',
    rules: ['RPC-PEND-07'],
    needs: ['rpc', 'driver'],
    rationale: 'A nonce gap keeps it in the pool while another is pre-confirmed after it.',
    async run(t) {
      const hash = await t.scene(heldBack)
      const known = await t.rpc.result('eth_getTransactionByHash', [hash])
      if (known === null) cannotJudge('The node does not say that it holds the transaction.')
      // Whatever the node pre-confirms next, it had its chance to take this one along.
      const later = await t.driver.send({ account: 6, to: t.driver.accounts[6]!, value: 1n })
      const [pending, { blockNumber }] = await Promise.all([
        getBlock(t.rpc, 'pending'),
        t.driver.sealed(later),
      ])
      const blocks = [pending, await getBlock(t.rpc, 'pending'), await getBlock(t.rpc, blockNumber)]
      for (const block of blocks) {
        const listed = expectArray(block.transactions, 'transactions')
        expectThat(!listed.includes(hash), `not ${hash}`, listed, 'transactions')
      }
    },
  },
])
