import { defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { assemble } from '../../probes/assembly.ts'
import { callResult, simulate } from '../../reads/simulate.ts'

const EMPTY_SIMULATION = [{ blockStateCalls: [{ calls: [] }] }, 'latest']

const FRESH = '0x00000000000000000000000000000000000c1d00'
const SAYS_CHAIN_ID = assemble('CHAINID PUSH0 MSTORE 0x20 PUSH0 RETURN')

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
    id: 'rpc.envelope.testnet.02',
    title: 'The test network is another chain, and simulates on its own state',
    area: 'envelope',
    rules: ['RPC-ENV-16'],
    needs: ['rpc', 'rpcTestnet'],
    rationale: 'A test network that passes calls on to the main one tries nothing out.',
    async run({ rpc, rpcTestnet }) {
      const [main, test] = await Promise.all(
        [rpc, rpcTestnet].map((node) => node.result('eth_chainId', [])),
      )
      expectDifferent(test, main, 'chain id of --rpc-testnet')
      const [mainGenesis, testGenesis] = await Promise.all(
        [rpc, rpcTestnet].map((node) => node.result('eth_getBlockByNumber', ['0x0', false])),
      )
      expectDifferent(
        expectObject(testGenesis, 'genesis').hash,
        expectObject(mainGenesis, 'genesis of --rpc').hash,
        'hash of the first block of --rpc-testnet',
      )
      const stateOverrides = { [FRESH]: { code: SAYS_CHAIN_ID } }
      const [block] = await simulate(rpcTestnet, [{ stateOverrides, calls: [{ to: FRESH }] }])
      const { returnData } = callResult(block, 0)
      expectEqual(BigInt(String(returnData)), BigInt(String(test)), 'what CHAINID gives there')
      const pending = await rpcTestnet.result('eth_getBlockByNumber', ['pending', false])
      const { parentHash } = expectObject(pending, 'pending')
      expectEqual(
        await rpc.result('eth_getBlockByHash', [parentHash, false]),
        null,
        'the parent of its pending block, asked of --rpc',
      )
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
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_simulateV1', params: EMPTY_SIMULATION }
      const { http } = await rpcPlain.post(JSON.stringify([call]))
      const results = [http.json].flat().filter((each) => 'result' in Object(each))
      expectEqual(results, [], 'results of a batch')
      const pending = await rpcPlain.result('eth_getBlockByNumber', ['pending', false])
      expectEqual(typeof expectObject(pending, 'pending').hash, 'string', 'typeof pending.hash')
    },
  },
])
