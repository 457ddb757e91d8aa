import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

export const cases = defineCases([
  {
    id: 'rpc.selectors.pending-is-being-built.01',
    title: 'pending holds a pre-confirmed transaction that latest does not',
    area: 'selectors',
    rules: ['RPC-SEL-09', 'RPC-SEL-10'],
    needs: ['rpc', 'driver'],
    rationale: 'pending as an alias of latest defeats pre-confirmations, and the other way round.',
    async run(t) {
      const { reads, sent } = await t.scene(preconfirmedWindow)
      const pending = expectObject(resultOf(reads.pending), 'pending')
      const latest = expectObject(resultOf(reads.latest), 'latest')
      const listed = expectArray(pending.transactions, 'pending.transactions')
      expectThat(listed.includes(sent.log), `${sent.log} listed`, listed, 'pending.transactions')
      const sealed = expectArray(latest.transactions, 'latest.transactions')
      expectEqual(sealed.includes(sent.log), false, 'latest lists the transaction')
    },
  },
])
