import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { findTransaction } from '../../reads/get-block.ts'
import { fullBlock } from '../../scenes/full-block.ts'
import { ifListed, inOneWindow } from '../../scenes/in-one-window.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'
import type { Hex } from '../../wire/hex.ts'

/** A sender whose nonces no case counts on. */
const ACCOUNT = 5
/** Wei: more than 64 bits hold. */
const LARGE = 2n ** 64n + 42n
/** Wei for gas beside it. */
const ROOM = 10n ** 16n

/** The value of a transaction as a block tells it; undefined where the block does not list it. */
async function valueIn({ rpc }: CaseContext, selector: 'pending' | bigint, hash: Hex) {
  const own = await findTransaction(rpc, selector, hash)
  return own && expectQuantity(own.value, 'value')
}

export const cases = defineCases([
  {
    id: 'rpc.pending.base-fee.01',
    title: 'After a block above the gas target the base fee of the pending block is another one',
    area: 'pending',
    rules: ['RPC-PEND-04', 'RPC-PEND-13'],
    needs: ['rpc', 'driver'],
    rationale:
      'It follows from the block just sealed, not from the one before; on a quiet chain both say the same.',
    async run(t) {
      const { blocks, pending } = await t.scene(fullBlock)
      const parent = blocks.find(({ hash }) => hash === pending.parentHash)
      if (!parent)
        cannotJudge('The pending block was upon none of the full block and the two after it.')
      const own = expectQuantity(pending.baseFeePerGas, 'baseFeePerGas')
      expectEqual(own, nextBaseFee(parent), `baseFeePerGas upon block ${parent.number}`)
    },
  },
  {
    id: 'rpc.pending.failed.01',
    title: 'pending lists a transaction that reverts',
    area: 'pending',
    rules: ['RPC-PEND-06'],
    needs: ['rpc', 'driver'],
    rationale: 'It is in the block, pays its gas and uses up its nonce, as any other.',
    async run(t) {
      const { driver } = t
      const { revert } = await t.scene(probeContracts)
      const failing = { account: ACCOUNT, to: revert, data: '0xdeadbeef', gas: 100_000n } as const
      const seen = await inOneWindow(
        t,
        async () => [await driver.send(failing)],
        async () => 'listed',
      )
      expectEqual(seen, 'listed', 'a transaction that reverts')
    },
  },
  {
    id: 'rpc.block.large-value.01',
    title: 'A value of more than 64 bits is told whole, at pending and in the sealed block',
    area: 'block',
    rules: ['RPC-BLK-23', 'RPC-PEND-08'],
    needs: ['rpc', 'driver'],
    rationale: 'From some 18 ether on a number of 64 bits is another one.',
    async run(t) {
      const { driver, rpc } = t
      const own = driver.accounts[ACCOUNT]!
      const balance = expectQuantity(await rpc.result('eth_getBalance', [own, 'latest']), 'balance')
      if (balance < LARGE + ROOM) notApplicable('The account does not have so much.')
      // To itself: only its gas is spent.
      const window = await inOneWindow(
        t,
        async () => [await driver.send({ account: ACCOUNT, to: own, value: LARGE })],
        async ({ sent: [hash] }) => {
          const value = await valueIn(t, 'pending', hash!)
          return value === undefined ? undefined : { hash: hash!, value }
        },
      )
      const { hash, value } = ifListed(window)
      expectEqual(value, LARGE, 'value at pending')
      const { blockNumber } = await driver.sealed(hash)
      expectEqual(await valueIn(t, blockNumber, hash), LARGE, `value in block ${blockNumber}`)
    },
  },
])
