import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { replacedBlock } from '../../scenes/replaced-block.ts'

export const cases = defineCases([
  {
    id: 'ws.logs.removed.01',
    title: 'A log that a reorganization takes out is sent again with removed true',
    area: 'stream',
    rules: ['RPC-LOG-13'],
    needs: ['ws', 'rpc', 'driver'],
    isDisruptive: true,
    rationale:
      'Who acted on a log must be heard that it is gone; eth_getLogs never returns it (OPEN-21).',
    async run(t) {
      const { heard, oldHash, found, damage } = await t.scene(replacedBlock)
      if (damage) t.note(damage)
      const [first, second] = heard.filter(({ blockHash }) => blockHash === oldHash)
      expectEqual(first?.removed, false, 'removed of the log as it was sealed')
      expectEqual(second, { ...first, removed: true }, 'the same log, taken out')
      expectEqual(found.filter(({ removed }) => removed !== false).length, 0, 'removed logs found')
    },
  },
])
