import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { toWord } from '../../reads/eth-call.ts'
import { replacedBlock } from '../../scenes/replaced-block.ts'

export const cases = defineCases([
  {
    id: 'rpc.selectors.reorganized.01',
    title: 'After a reorganization a height picks the new block, and its logs are those of that',
    area: 'selectors',
    rules: ['RPC-SEL-01', 'RPC-BLK-06', 'RPC-LOG-10'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale: 'Whoever keeps answers by height goes on to tell of a block that is gone.',
    async run(t) {
      const { before, after, newHash, oldHash } = await t.scene(replacedBlock)
      if (newHash === oldHash) notApplicable('The same block came in the place of the block.')
      const hashes = ({ blocks }: typeof after) => blocks.map(({ hash }) => hash)
      expectEqual(hashes(before), [oldHash, oldHash], 'hash of the height, before')
      expectEqual(hashes(after), [newHash, newHash], 'hash of the height, once it was replaced')
      const ofLogs = new Set(after.logs.map(({ blockHash }) => blockHash))
      ofLogs.delete(newHash)
      expectEqual([...ofLogs], [], 'other block hashes of the logs of the height')
    },
  },
  {
    id: 'rpc.selectors.reorganized-state.01',
    title: 'After a reorganization calls, slots and simulations at a height are of the new block',
    area: 'selectors',
    rules: ['RPC-CALL-18', 'RPC-STOR-07', 'RPC-SIM-25'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale: 'The same questions before and after; the new block writes a slot.',
    async run(t) {
      const { before, after, newHash, oldHash, written } = await t.scene(replacedBlock)
      if (newHash === oldHash) notApplicable('The same block came in the place of the block.')
      const same = (word: string) => before.slot.map(() => word)
      expectEqual(before.slot, same(toWord(0)), 'the slot at the height, before')
      expectEqual(after.slot, same(written), 'the slot at the height, once it was replaced')
      if (before.base === undefined) return
      expectEqual(before.base, oldHash, 'what a simulation at the height began upon, before')
      expectEqual(after.base, newHash, 'what it begins upon once the height was replaced')
    },
  },
])
