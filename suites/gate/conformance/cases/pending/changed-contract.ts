import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { toWord } from '../../reads/eth-call.ts'
import { toLogs } from '../../reads/get-logs.ts'
import { callResult, toBlocks } from '../../reads/simulate.ts'
import {
  type ContractReads,
  CREATED_TOPIC,
  CREATED_VALUE,
  changedContract,
} from '../../scenes/changed-contract.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

type About = Pick<ConformanceCase, 'area' | 'rules' | 'profiles'>

/** How each method tells what the slot holds. */
const METHODS: readonly {
  name: string
  method: string
  about: About
  slotIn: (reads: ContractReads) => unknown
}[] = [
  {
    name: 'call',
    method: 'eth_call',
    about: { area: 'call', rules: ['RPC-CALL-19'] },
    slotIn: ({ call }) => resultOf(call),
  },
  {
    name: 'storage',
    method: 'eth_getStorageAt',
    // Deployed nodes read latest here; the spec does not.
    about: { area: 'storage', rules: ['RPC-STOR-08'], profiles: ['spec'] },
    slotIn: ({ storage }) => resultOf(storage),
  },
  {
    name: 'simulate',
    method: 'eth_simulateV1',
    about: { area: 'simulate', rules: ['RPC-SIM-03'] },
    slotIn: ({ simulate }) => callResult(toBlocks(simulate)[0], 0).returnData,
  },
]

export const cases = defineCases([
  ...METHODS.flatMap(({ name, method, about, slotIn }): ConformanceCase[] => [
    {
      ...about,
      id: `rpc.${name}.pending-created.01`,
      title: `${method} at pending finds a contract whose creation is pre-confirmed, with what its constructor wrote`,
      needs: ['rpc', 'driver'],
      rationale: 'Whoever deploys wants to call at once; latest has no such contract yet.',
      async run(t) {
        const { created } = await t.scene(changedContract)
        expectEqual(slotIn(created), CREATED_VALUE, 'slot at pending')
      },
    },
    {
      ...about,
      id: `rpc.${name}.pending-cleared.01`,
      title: `${method} at pending reads zero where a pre-confirmed transaction cleared a slot`,
      needs: ['rpc', 'driver'],
      rationale: 'A slot that was deleted must not be looked up in the block below.',
      async run(t) {
        const { cleared } = await t.scene(changedContract)
        expectEqual(slotIn(cleared), toWord(0), 'slot at pending')
      },
    },
  ]),
  {
    id: 'rpc.getlogs.pending-created.01',
    title: 'pending to pending gives the log of a constructor before it is sealed',
    area: 'logs',
    rules: ['RPC-GETLOGS-02'],
    needs: ['rpc', 'driver'],
    rationale: 'A new pool or token is found by what its constructor logs.',
    async run(t) {
      const { created } = await t.scene(changedContract)
      const logs = toLogs(resultOf(created.logs, 'eth_getLogs'))
      expectEqual(
        logs.map(({ topics }) => topics),
        [[CREATED_TOPIC]],
        'topics of its logs',
      )
    },
  },
])
