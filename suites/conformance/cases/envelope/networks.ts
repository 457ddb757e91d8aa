import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'

const EMPTY_SIMULATION = [{ blockStateCalls: [{ calls: [] }] }, 'latest']

export const cases = defineCases([
  {
    id: 'rpc.envelope.testnet.01',
    title: 'The test network simulates and shows the block under construction',
    area: 'envelope',
    rules: ['RPC-ENV-16'],
    needs: ['rpcTestnet'],
    rationale: 'Dapps are tried out there first; a method on the main network alone fails them.',
    async run({ rpcTestnet }) {
      const simulated = await rpcTestnet.result('eth_simulateV1', EMPTY_SIMULATION)
      expectEqual(expectArray(simulated, 'result').length, 1, 'result.length')
      await rpcTestnet.result('eth_getBlockByNumber', ['pending', false])
    },
  },
  {
    id: 'rpc.envelope.no-preconfirmations.01',
    title: 'An endpoint without pre-confirmations answers eth_simulateV1 with an error',
    area: 'envelope',
    rules: ['RPC-ENV-17'],
    profiles: ['spec'],
    needs: ['rpcPlain'],
    rationale: 'Clients learn from -32601 that they must not count on pre-confirmations (OPEN-03).',
    async run({ rpcPlain }) {
      expectError(await rpcPlain.call('eth_simulateV1', EMPTY_SIMULATION), 'reply', -32601)
      const pending = await rpcPlain.result('eth_getBlockByNumber', ['pending', false])
      expectEqual(typeof expectObject(pending, 'pending').hash, 'string', 'typeof pending.hash')
    },
  },
])
