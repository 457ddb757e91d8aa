import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectArray } from '../../matchers/expect-shape.ts'
import { simulate } from '../../reads/simulate.ts'

const REFUSED: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['no params', 'RPC-SIM-01', []],
  ['null as payload', 'RPC-SIM-01', [null, 'latest']],
  ['an unknown tag', 'RPC-SIM-02', [{ blockStateCalls: [{}] }, 'newest']],
  ['an empty payload', 'RPC-SIM-06', [{}, 'latest']],
  ['blockStateCalls that is no list', 'RPC-SIM-06', [{ blockStateCalls: {} }, 'latest']],
]

export const cases = defineCases([
  ...REFUSED.map(
    ([what, rule, params], index): ConformanceCase => ({
      id: `rpc.simulate.refused.0${index + 1}`,
      title: `eth_simulateV1 with ${what} is an error`,
      area: 'simulate',
      rules: [rule],
      needs: ['rpc'],
      rationale: 'An empty answer to a wrong question looks like success.',
      async run({ rpc }) {
        expectError(await rpc.call('eth_simulateV1', params), 'reply')
      },
    }),
  ),
  ...[1, 2, 5].map(
    (count, index): ConformanceCase => ({
      id: `rpc.simulate.one-element-per-entry.0${index + 1}`,
      title: `${count} entries give ${count} simulated blocks`,
      area: 'simulate',
      rules: ['RPC-SIM-04'],
      needs: ['rpc'],
      rationale: 'Callers read results by the place of their entry.',
      async run({ rpc }) {
        const blocks = await simulate(
          rpc,
          Array.from({ length: count }, () => ({})),
        )
        expectEqual(blocks.length, count, 'result.length')
      },
    }),
  ),
  {
    id: 'rpc.simulate.entry-without-calls.01',
    title: 'An entry without calls gives a block with none',
    area: 'simulate',
    rules: ['RPC-SIM-12'],
    needs: ['rpc'],
    rationale: 'calls is optional: an entry may only move time.',
    async run({ rpc }) {
      const blocks = await simulate(rpc, [{}, { calls: [] }])
      for (const index of [0, 1]) expectArray(blocks[index]?.calls, `result[${index}].calls`, 0)
    },
  },
])
