import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { getBlock } from '../../reads/get-block.ts'
import { BLOCK_FIELDS, NULL_WHEN_PENDING } from '../../spec/block-fields.ts'

export const cases = defineCases([
  {
    id: 'rpc.pending.members.01',
    title: 'A pending block has the member set of a sealed one',
    area: 'pending',
    rules: ['RPC-PEND-01'],
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'One parser reads both: a member that is null is still there.',
    async run({ rpc }) {
      const pending = Object.keys(await getBlock(rpc, 'pending')).sort()
      expectEqual(pending, Object.keys(await getBlock(rpc, 'latest')).sort(), 'members')
    },
  },
  ...NULL_WHEN_PENDING.map(
    (field, index): ConformanceCase => ({
      id: `rpc.pending.null-${field}.01`,
      title: `${field} of a pending block is null`,
      area: 'pending',
      rules: [`RPC-PEND-0${index + 2}`],
      profiles: ['spec'],
      needs: ['rpc'],
      rationale: 'A block that is not sealed has no final height and hash to cite.',
      async run({ rpc }) {
        expectEqual((await getBlock(rpc, 'pending'))[field], null, `pending.${field}`)
      },
    }),
  ),
  {
    id: 'rpc.pending.other-members.01',
    title: 'All other members of a pending block keep the sealed form',
    area: 'pending',
    rules: ['RPC-PEND-04'],
    profiles: ['spec'],
    needs: ['rpc'],
    rationale: 'Only number and hash may be null; a null state root breaks typed clients.',
    async run({ rpc }) {
      const pending = await getBlock(rpc, 'pending')
      for (const [field, form] of Object.entries(BLOCK_FIELDS)) {
        if (!NULL_WHEN_PENDING.includes(field)) expectForm(pending[field], form, `pending.${field}`)
      }
    },
  },
])
