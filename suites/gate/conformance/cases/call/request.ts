import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { ethCall, words } from '../../reads/eth-call.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'

const EMPTY = `0x${'d2'.repeat(20)}`
const REFUSED: readonly (readonly [string, string, readonly unknown[], ('spec' | 'open')?])[] = [
  ['no params', 'RPC-CALL-01', []],
  ['null as call object', 'RPC-CALL-01', [null, 'latest']],
  ['a string as call object', 'RPC-CALL-01', ['0x', 'latest']],
  ['no to', 'RPC-CALL-06', [{ data: '0x00' }, 'latest'], 'spec'],
  ['a short to', 'RPC-CALL-06', [{ to: '0x1234' }, 'latest']],
  ['a decimal value', 'RPC-CALL-13', [{ to: EMPTY, value: '16' }, 'latest'], 'open'],
  ['an unknown tag', 'RPC-CALL-02', [{ to: EMPTY }, 'newest']],
  ['no selector', 'RPC-CALL-02', [{ to: EMPTY }], 'spec'],
]

export const cases = defineCases([
  ...REFUSED.map(
    ([what, rule, params, limit], index): ConformanceCase => ({
      id: `rpc.call.refused.0${index + 1}`,
      title: `eth_call with ${what} is an error`,
      area: 'call',
      rules: [rule],
      ...(limit === 'spec' && { profiles: [limit] }),
      ...(limit === 'open' && { level: 'should' }),
      needs: ['rpc'],
      rationale:
        limit === 'open'
          ? 'Decided for OPEN-11: text without 0x is taken for decimal by one, for hex by another.'
          : 'A wrong call must fail loudly, not answer for another one.',
      async run({ rpc }) {
        expectError(await rpc.call('eth_call', params), 'reply')
      },
    }),
  ),
  {
    id: 'rpc.call.no-code.01',
    title: 'A call to an account without code returns 0x, with nothing but to given',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-15'],
    needs: ['rpc'],
    rationale: 'Empty return bytes are 0x, never null; all other members are optional.',
    async run({ rpc }) {
      expectEqual(await rpc.result('eth_call', [{ to: EMPTY }, 'latest']), '0x', 'result')
    },
  },
  {
    id: 'rpc.call.selector-optional.01',
    title: 'Without a selector the call runs at latest',
    area: 'call',
    rules: ['RPC-CALL-02'],
    level: 'should',
    profiles: ['base'],
    needs: ['rpc'],
    rationale: 'The spec says required; deployed nodes serve who leaves it out.',
    async run({ rpc }) {
      expectEqual(await rpc.result('eth_call', [{ to: EMPTY }]), '0x', 'result')
    },
  },
  {
    id: 'rpc.call.return-bytes.01',
    title: 'The result is the returned bytes as one hex string',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-14'],
    needs: ['rpc', 'driver'],
    rationale: 'A contract that returns its calldata gives back 64 known bytes, and 3.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      for (const data of [words(0x1234, 0x5678), '0x00ff01'] as const) {
        expectEqual(await ethCall(t.rpc, { to: echo, data }), data, 'result')
      }
    },
  },
  {
    id: 'rpc.call.return-long.01',
    title: 'What a call is given and what it returns are whole, however long they are',
    area: 'call',
    rules: ['RPC-CALL-03', 'RPC-CALL-14'],
    needs: ['rpc', 'driver'],
    rationale: 'Lists and blobs are longer than a page; what is cut does not decode.',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      for (const length of [31, 33, 257, 1_025, 4_097, 25_000, 70_000]) {
        const data = anyBytes(length)
        expectEqual(await ethCall(t.rpc, { to: echo, data }), data, `result of ${length} bytes`)
      }
    },
  },
  {
    id: 'rpc.call.input-alias.01',
    title: 'input is read as data, and two different values are refused',
    area: 'call',
    rules: ['RPC-CALL-14'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'Clients send either name (OPEN-25).',
    async run(t) {
      const { echo } = await t.scene(probeContracts)
      expectEqual(await ethCall(t.rpc, { to: echo, input: '0x0102' }), '0x0102', 'result')
      const both = { to: echo, input: '0x01', data: '0x02' }
      expectError(await t.rpc.call('eth_call', [both, 'latest']), 'reply to both')
    },
  },
])
