import { CaseFailure, notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectBytes, expectQuantity } from '../../matchers/expect-hex.ts'
import { childrenOfToday, seenToday } from '../../scenes/seen-today.ts'
import { todaysBlocks } from '../../scenes/todays-blocks.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import { wholeTransactions } from '../../spec/base-time.ts'
import { GAS_CAP } from '../../spec/gas-cap.ts'
import { nextBaseFee } from '../../spec/next-base-fee.ts'

const DEPOSIT = '0x7e'

export const cases = defineCases([
  {
    id: 'today.fee.extra-data.01',
    title: 'extraData has the 17 bytes of Jovian: version 1, denominator, elasticity, minimum',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-FEE-01'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'Base fees of the next block are computed from it, by everybody.',
    run: async (t) =>
      judgeEach(await seenToday(t), 'blocks of 200 ms', ({ block }) => {
        const extra = expectBytes(block.extraData, 'extraData', 17)
        expectEqual(extra.slice(0, 4), '0x01', `version in extraData of block ${block.number}`)
      }),
  },
  {
    id: 'today.fee.base-fee.01',
    title: 'The base fee of every block follows from its parent of 200 ms',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-FEE-02'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: "By the parameters in the parent's own extraData, block by block.",
    run: async (t) =>
      judgeEach(await childrenOfToday(t), 'blocks of 200 ms on another', ({ block, parent }) => {
        const own = expectQuantity(block.baseFeePerGas, 'baseFeePerGas')
        const wanted = nextBaseFee(parent.block)
        expectEqual(own, wanted, `baseFeePerGas of block ${block.number}`)
      }),
  },
  {
    id: 'today.fee.parameters.01',
    title: 'Gas limit and fee parameters stay as in the parent, or change for good',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-FEE-03'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'They are divided and multiplied by ten once, and not in every block.',
    async run(t) {
      const children = await childrenOfToday(t)
      await judgeEach(children, 'blocks of 200 ms on another', ({ block, parent }) => {
        const next = children.find((each) => each.block.parentHash === block.hash)
        for (const member of ['gasLimit', 'extraData']) {
          // Where L1 set another one, the next block has it too; of the newest nobody knows yet.
          if (block[member] === parent.block[member] || !next) continue
          expectEqual(next.block[member], block[member], `${member} of block ${next.block.number}`)
        }
      })
    },
  },
  {
    id: 'today.fee.gas-cap.01',
    title: 'No transaction of a user asks for more than 2^24 gas',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-FEE-04'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'With a block of a tenth of the gas, one transaction would be the whole block.',
    async run(t) {
      const all = (await seenToday(t)).flatMap(({ block, exchange }) =>
        wholeTransactions(block).flatMap((each) =>
          each.type === DEPOSIT ? [] : [{ exchange, hash: each.hash, gas: each.gas }],
        ),
      )
      await judgeEach(all, 'transactions of users', ({ hash, gas: asked }) => {
        const gas = expectQuantity(asked, 'gas')
        expectThat(gas <= GAS_CAP, `at most ${GAS_CAP}`, gas, `gas of transaction ${hash}`)
      })
    },
  },
  {
    id: 'today.fee.gas-cap-refused.01',
    title: 'A transaction of 2^24 + 1 gas is refused, one of as much as may be is sealed',
    area: 'today',
    profiles: ['today'],
    rules: ['TODAY-FEE-04'],
    needs: ['rpc', 'driver'],
    rationale: 'A wallet that offers more gas than that sends into the void.',
    async run(t) {
      const { driver } = t
      if (driver.onlyReads || driver.lacksMoney) notApplicable('It needs accounts with money.')
      const { blocks } = await t.scene(todaysBlocks)
      // A block of a devnet may hold less than one transaction may ask for, and has deposits besides.
      const room = expectQuantity(blocks.at(-1)!.gasLimit, 'gasLimit') / 2n
      const most = room < GAS_CAP ? room : GAS_CAP
      const send = (gas: bigint) =>
        driver.send({ account: 1, to: driver.accounts[1]!, value: 0n, gas })
      const { succeeded } = await driver.sealed(await send(most))
      expectThat(succeeded, 'sealed, with status 1', 'status 0', `transaction of ${most} gas`)
      const taken = await send(GAS_CAP + 1n).catch(() => undefined)
      if (taken === undefined) return
      const at = `eth_sendRawTransaction with ${GAS_CAP + 1n} gas`
      throw new CaseFailure({ at, expected: 'an error', actual: taken })
    },
  },
])
