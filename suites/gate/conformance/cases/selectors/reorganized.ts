import { notApplicable } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
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
])
