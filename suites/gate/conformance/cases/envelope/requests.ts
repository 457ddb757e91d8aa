import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError, expectNoResult } from '../../matchers/expect-error.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { askBatch } from '../../reads/ask-batch.ts'
import { READ_METHODS } from '../../spec/read-methods.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const TIP_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBlockByNumber',
  params: ['latest', false],
}

/** Names that hold the name of a method, are a part of one, or spell it in other letters. */
const ALMOST = [
  'eth_getBlockByNumberX',
  'x_eth_getBlockByNumber',
  'getBlockByNumber',
  'eth_getBlock',
  'eth_getblockbynumber',
  'ETH_GETBLOCKBYNUMBER',
]
/** What a table of methods may have without a method of its own. */
const INHERITED = ['toString', 'constructor', '__proto__', 'hasOwnProperty', '']

export const cases = defineCases([
  {
    id: 'rpc.envelope.post-to-base-url.01',
    title: 'A POST of application/json to the base URL is answered',
    area: 'envelope',
    rules: ['RPC-ENV-01', 'RPC-ENV-03'],
    needs: ['rpc'],
    rationale: 'Clients are given one URL and one content type; nothing else may be needed.',
    async run({ rpc }) {
      const reply = await rpc.post(JSON.stringify(TIP_CALL))
      expectEqual(reply.http.status, 200, 'HTTP status')
      resultOf(reply)
    },
  },
  ...READ_METHODS.map(
    ([method, params]): ConformanceCase => ({
      id: `rpc.envelope.method-${method.replace('_', '-').toLowerCase()}.01`,
      title: `${method} exists and reads its params by position`,
      area: 'envelope',
      rules: ['RPC-ENV-02', 'RPC-ENV-06', ...(method === 'eth_simulateV1' ? ['RPC-ENV-15'] : [])],
      needs: ['rpc'],
      rationale: 'The five read methods are the whole interface; one missing breaks its callers.',
      async run({ rpc }) {
        await rpc.result(method, params)
      },
    }),
  ),
  {
    id: 'rpc.envelope.version-required.01',
    title: 'A request without jsonrpc, or with anything but the text "2.0", gets no result',
    area: 'envelope',
    rules: ['RPC-ENV-04'],
    needs: ['rpc'],
    rationale: 'The member is how a 2.0 server tells another protocol from its own.',
    async run({ rpc }) {
      const { jsonrpc: _, ...without } = TIP_CALL
      expectNoResult(await rpc.post(JSON.stringify(without)), 'reply without jsonrpc')
      for (const jsonrpc of ['1.0', 2, '2', '2.1', null]) {
        const reply = await rpc.post(JSON.stringify({ ...TIP_CALL, jsonrpc }))
        expectNoResult(reply, `reply to jsonrpc ${JSON.stringify(jsonrpc)}`)
      }
      resultOf(await rpc.post(JSON.stringify(TIP_CALL)))
    },
  },
  {
    id: 'rpc.envelope.version-required.02',
    title: 'A call of a batch without jsonrpc, or with another text than "2.0", gets no result',
    area: 'envelope',
    rules: ['RPC-ENV-04'],
    needs: ['rpc'],
    rationale: 'Batches are taken apart by other code than single calls.',
    async run({ rpc }) {
      const { jsonrpc: _, ...without } = { ...TIP_CALL, id: 2 }
      const calls = [TIP_CALL, without, { ...without, id: 3, jsonrpc: '1.0' }]
      const results = (await askBatch(rpc, calls)).filter((each) => 'result' in Object(each))
      const ids = results.map(({ id }) => id)
      expectThat(
        ids.every((id) => id === TIP_CALL.id),
        'of the first call alone',
        ids,
        'ids of results',
      )
    },
  },
  {
    id: 'rpc.envelope.spelling.01',
    title:
      'Spaces, another order of members and escapes in the JSON, a charset beside its type, and what type is taken, make no other request',
    area: 'envelope',
    rules: ['RPC-ENV-01', 'RPC-ENV-03', 'RPC-ENV-05', 'RPC-ENV-09'],
    needs: ['rpc'],
    rationale: 'Clients write JSON in many ways, and many name UTF-8: it is the same request.',
    async run({ rpc }) {
      const { jsonrpc, id, method, params } = TIP_CALL
      const plain = JSON.stringify(TIP_CALL)
      const turned = JSON.stringify({ params, method, id, jsonrpc })
      const bodies = {
        'with spaces': `\r\n${JSON.stringify(TIP_CALL, null, '\t')} \n`,
        'with its members in another order': turned,
        'with an escape in its method': plain.replace('ByNumber', '\\u0042yNumber'),
      }
      for (const [how, body] of Object.entries(bodies)) {
        const reply = await rpc.post(body)
        const { number } = expectObject(resultOf(reply, `a call ${how}`), `result of a call ${how}`)
        expectQuantity(number, `number of the block by a call ${how}`)
        expectEqual(reply.body.id, id, `id of a call ${how}`)
      }
      for (const charset of ['charset=utf-8', 'charset=UTF-8']) {
        const headers = { 'content-type': `application/json; ${charset}` }
        resultOf(await rpc.post(plain, { headers }), `a call with ${charset}`)
      }
      for (const accept of ['*/*', 'application/json, text/plain, */*']) {
        const headers = { 'content-type': 'application/json', accept }
        resultOf(await rpc.post(plain, { headers }), `a call that accepts ${accept}`)
      }
    },
  },
  {
    id: 'rpc.envelope.method-selects.01',
    title: 'The method string alone picks the operation, and a made-up one is refused',
    area: 'envelope',
    rules: ['RPC-ENV-05'],
    needs: ['rpc'],
    rationale: 'A server that answers null for an unknown method hides typing mistakes.',
    async run({ rpc }) {
      const block = await rpc.result('eth_getBlockByNumber', ['latest', false])
      const chain = await rpc.call('eth_getLogs', ['latest', false])
      expectDifferent(chain.body.result, block, 'result of another method')
      for (const method of ['eth_noSuchMethod', ...ALMOST, ...INHERITED])
        expectNoResult(await rpc.call(method, ['latest', false]), `reply to ${method}`)
    },
  },
  {
    id: 'rpc.envelope.method-unknown-code.01',
    title: 'An unknown method is error -32601',
    area: 'envelope',
    rules: ['RPC-ENV-05'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'JSON-RPC 2.0 names the code; the spec leaves it open (OPEN-01).',
    async run({ rpc }) {
      expectError(await rpc.call('eth_noSuchMethod', []), 'reply', -32601)
    },
  },
  {
    id: 'rpc.envelope.extra-params.01',
    title: 'Params by name do not work where the spec says by position',
    area: 'envelope',
    rules: ['RPC-ENV-06'],
    level: 'should',
    needs: ['rpc'],
    rationale:
      'Swapped positions must not be guessed at: the boolean is second, the selector first.',
    async run({ rpc }) {
      const swapped = await rpc.call('eth_getBlockByNumber', [false, 'latest'])
      expectNoResult(swapped, 'reply to swapped params')
    },
  },
])
