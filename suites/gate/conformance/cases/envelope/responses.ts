import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectJsonType } from '../../matchers/expect-json-type.ts'
import { IDENTITY } from '../../probes/identity.ts'
import { askBatch } from '../../reads/ask-batch.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getTip } from '../../reads/get-block.ts'
import { sealedHistory, WRITTEN } from '../../scenes/sealed-history.ts'
import { expectEnvelope } from '../../seen/expect-envelope.ts'
import { judgeEach } from '../../seen/judge-each.ts'

/** What there is nothing of. */
const NOTHING_OF_HASH = toWord(0xab5e47)
const UNFOUND = ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts']

/** Calls of a large batch, and how many of a batch every node answers that answers batches. */
const [CALLS, FEW_CALLS] = [48, 16]

const PARAMS = ['latest', false]
/** Calls that fail for want of a method, of a parameter, and while they run: a proof of a blob has 192 bytes (EIP-4844). */
const FAILING = [
  ['eth_noSuchMethod', []],
  ['eth_getBlockByNumber', []],
  ['eth_call', [{ to: `0x${'a'.padStart(40, '0')}`, data: '0x' }, 'latest']],
] as const
/** Longer than a UUID, and than what is kept in a word. */
const LONG_ID = 'an id of a client that says who asks: '.repeat(4)
/** With what JSON escapes, with letters beyond ASCII and beyond 16 bits, and with none at all. */
const ODD_IDS = ['a "quoted" id, C:\\ids\n', 'Über 東京 👋', '']

export const cases = defineCases([
  ...[0, 1, 4294967296, 123_456_789_012_345, Number.MAX_SAFE_INTEGER].map(
    (id, index): ConformanceCase => ({
      id: `rpc.envelope.id-number.0${index + 1}`,
      title: `A request with id ${id} is answered with that id`,
      area: 'envelope',
      rules: ['RPC-ENV-07', 'RPC-ENV-09'],
      needs: ['rpc'],
      rationale: 'Clients match answers to requests by id; 0 is a number like any other.',
      async run({ rpc }) {
        const reply = await rpc.call('eth_getBlockByNumber', PARAMS, id)
        expectEqual(reply.body.id, id, 'id')
        expectThat('result' in reply.body, 'a result', reply.http.json, 'response')
      },
    }),
  ),
  {
    id: 'rpc.envelope.id-negative.01',
    title: 'A request with a negative id is answered with that id, where it is answered',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    needs: ['rpc'],
    rationale: 'A number like any other; a node whose ids have no sign refuses it.',
    async run({ rpc }) {
      for (const id of [-1, -7]) {
        const { body, http } = await rpc.call('eth_getBlockByNumber', PARAMS, id)
        if ('error' in body) expectThat(body.id === id || !body.id, `${id} or null`, body.id, 'id')
        else expectThat(body.id === id, `${id}, or an error`, http.json, 'response')
      }
    },
  },
  {
    id: 'rpc.envelope.id-fraction.01',
    title: 'A request with a fraction as its id is answered with that id, where it is answered',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    needs: ['rpc'],
    rationale: 'Discouraged, and a number; an id that was rounded is that of another call.',
    async run({ rpc }) {
      const { body, http } = await rpc.call('eth_getBlockByNumber', PARAMS, 1.5)
      if ('error' in body) expectThat(body.id === 1.5 || !body.id, '1.5 or null', body.id, 'id')
      else expectThat(body.id === 1.5, '1.5, or an error', http.json, 'response')
    },
  },
  {
    id: 'rpc.envelope.id-echo.01',
    title: 'Two requests with different ids get their own id back, on errors too',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    needs: ['rpc'],
    rationale: 'A constant id, or one turned into a string, breaks every pipelining client.',
    async run({ rpc }) {
      for (const id of [42, 7, 0]) {
        expectEqual((await rpc.call('eth_getBlockByNumber', PARAMS, id)).body.id, id, 'id')
        for (const [method, params] of FAILING) {
          const { body } = await rpc.call(method, params, id)
          expectEqual(body.id, id, `id of an error of ${method}`)
        }
      }
    },
  },
  {
    id: 'rpc.envelope.id-string.01',
    title:
      'A string id comes back as that string, be it a number in letters, long, empty or full of escapes',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'JSON-RPC 2.0 allows strings; the spec says number only (OPEN-01).',
    async run({ rpc }) {
      for (const id of ['seven', '7', LONG_ID, ...ODD_IDS]) {
        const reply = await rpc.call('eth_getBlockByNumber', PARAMS, id)
        expectEqual(reply.body.id, id, 'id')
      }
    },
  },
  {
    id: 'rpc.envelope.version-echo.01',
    title: 'Results and errors both carry jsonrpc 2.0',
    area: 'envelope',
    rules: ['RPC-ENV-08'],
    needs: ['rpc'],
    rationale: 'Strict clients drop a response without the member.',
    async run({ rpc }) {
      const good = await rpc.call('eth_getBlockByNumber', PARAMS)
      expectEqual(good.body.jsonrpc, '2.0', 'jsonrpc of a result')
      const bad = await rpc.call('eth_noSuchMethod', [])
      expectEqual(bad.body.jsonrpc, '2.0', 'jsonrpc of an error')
    },
  },
  {
    id: 'rpc.envelope.null-result.01',
    title: 'A result of null is a member of the response',
    area: 'envelope',
    rules: ['RPC-ENV-10'],
    needs: ['rpc'],
    rationale: 'A serializer that drops nulls turns "no such block" into no answer at all.',
    async run({ rpc }) {
      const above = `0x${((await getTip(rpc)) + 100_000n).toString(16)}`
      const { body } = await rpc.call('eth_getBlockByNumber', [above, false])
      expectThat('result' in body, 'a result member', body, 'response')
      expectEqual(body.result, null, 'result')
    },
  },
  {
    id: 'rpc.envelope.null-result.02',
    title: 'A result of null is a member of the response, of whatever there is nothing to be found',
    area: 'envelope',
    rules: ['RPC-ENV-10'],
    needs: ['rpc'],
    rationale:
      'Each method writes its own answer: who waits for a receipt asks for it before it is there.',
    async run({ rpc }) {
      for (const method of UNFOUND) {
        const { body } = await rpc.call(method, [NOTHING_OF_HASH])
        if ('error' in body) continue
        expectThat('result' in body, 'a result member', body, `response to ${method}`)
        expectEqual(body.result, null, `result of ${method}`)
      }
    },
  },
  {
    id: 'rpc.envelope.error-shape.01',
    title: 'A failing call has an error with code and message, and no result',
    area: 'envelope',
    rules: ['RPC-ENV-11'],
    needs: ['rpc'],
    rationale: 'Exactly one of result and error tells success from failure.',
    async run({ rpc }) {
      expectError(await rpc.call('eth_getBlockByNumber', []), 'reply to missing params')
      expectError(await rpc.call('eth_getStorageAt', ['0x00', '0x0', 'latest']), 'reply')
      expectError(await rpc.call('eth_noSuchMethod', []), 'reply to an unknown method')
    },
  },
  {
    id: 'rpc.envelope.parse-error.01',
    title: 'Text that is no JSON is error -32700 with id null',
    area: 'envelope',
    rules: ['RPC-ENV-11'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'JSON-RPC 2.0, section 5.1; open in the spec (OPEN-01).',
    async run({ rpc }) {
      const reply = await rpc.post('{"jsonrpc":"2.0","id":1,')
      expectError(reply, 'reply', -32700)
      expectEqual(reply.body.id, null, 'id')
    },
  },
  {
    id: 'rpc.envelope.invalid-request.01',
    title: 'JSON that is no request, and an empty batch, are error -32600',
    area: 'envelope',
    rules: ['RPC-ENV-11'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'JSON-RPC 2.0, sections 5.1 and 6; open in the spec (OPEN-01).',
    async run({ rpc }) {
      expectError(await rpc.post('{"jsonrpc":"2.0","id":1,"method":5}'), 'reply', -32600)
      expectError(await rpc.post('[]'), 'reply to an empty batch', -32600)
    },
  },
  {
    id: 'rpc.envelope.batch.01',
    title: 'A batch is answered by a list with every id once',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Most clients batch; the spec is silent (OPEN-01), JSON-RPC 2.0 section 6 is not.',
    async run({ rpc }) {
      const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_getLogs', params: [{}] })
      const { http } = await rpc.post(JSON.stringify([call(1), call(2), call(3)]))
      const ids = Array.isArray(http.json) ? http.json.map((each) => each?.id).sort() : http.json
      expectEqual(ids, [1, 2, 3], 'ids')
    },
  },
  {
    id: 'rpc.envelope.batch.02',
    title: 'In a batch of 48 calls each id has what its own call returns',
    area: 'envelope',
    rules: ['RPC-ENV-09', 'RPC-ENV-10'],
    needs: ['rpc'],
    rationale:
      'The id is all that tells which answer is whose; a limit, if there is one, is an error and no silence.',
    async run({ rpc }) {
      const calls = Array.from({ length: CALLS }, (_, index) => ({
        ...{ jsonrpc: '2.0', id: 100 - index, method: 'eth_call' },
        params: [{ to: IDENTITY, data: toWord(0xba7c000 + index) }, 'latest'],
      }))
      const answers = new Map((await askBatch(rpc, calls)).map((each) => [each?.id, each]))
      for (const [index, { id, params }] of calls.entries()) {
        const { data } = params[0] as { data: string }
        const answer = Object(answers.get(id))
        const isBeyond = index >= FEW_CALLS && 'error' in answer
        if (!isBeyond) expectEqual(answer.result, data, `result of id ${id}`)
      }
    },
  },
  {
    id: 'rpc.envelope.batch.03',
    title: 'In a batch a call that fails has an error, and the others have their results',
    area: 'envelope',
    rules: ['RPC-ENV-07', 'RPC-ENV-08', 'RPC-ENV-09', 'RPC-ENV-10', 'RPC-ENV-11'],
    needs: ['rpc'],
    rationale:
      'Clients put calls of strangers into one batch: what one asks wrongly is not the other’s.',
    async run({ rpc }) {
      const data = toWord(0xba7c100)
      const call = (id: number, method: string, params: unknown[]) => {
        return { jsonrpc: '2.0', id, method, params }
      }
      const beyond = `0x${(2n ** 40n).toString(16)}`
      const calls = [
        call(0, 'eth_call', [{ to: IDENTITY, data }, 'latest']),
        call(2, 'eth_noSuchMethod', []),
        call(3, 'eth_getBlockByNumber', []),
        call(4, 'eth_call', [{ to: IDENTITY, data }, 'latest']),
        call(5, 'eth_getBlockByNumber', [beyond, false]),
      ]
      const answers = new Map((await askBatch(rpc, calls)).map((each) => [each?.id, each]))
      for (const { id } of calls) expectEnvelope({ id, response: answers.get(id) })
      for (const id of [0, 4]) expectEqual(answers.get(id)?.result, data, `result of id ${id}`)
      expectEqual(answers.get(5)?.result, null, 'result of a block that is not there yet')
      for (const id of [2, 3])
        expectThat('error' in Object(answers.get(id)), 'an error', answers.get(id), `id ${id}`)
    },
  },
  {
    id: 'rpc.envelope.batch.04',
    title: 'In a batch each call is answered at its own block',
    area: 'envelope',
    rules: ['RPC-ENV-06', 'RPC-STOR-07'],
    needs: ['rpc', 'driver'],
    rationale: 'Clients put reads at many heights into one batch: one value, before and after.',
    async run(t) {
      const { probes, writes } = await t.scene(sealedHistory)
      const { slot, first, second } = WRITTEN
      const known = [
        [writes.second, second],
        [writes.first, first],
        [writes.first - 1n, 0n],
      ] as const
      const calls = known.map(([height], id) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_getStorageAt' },
        params: [probes.store, toWord(slot), `0x${height.toString(16)}`],
      }))
      const results = new Map(
        (await askBatch(t.rpc, calls)).map((each) => [each?.id, each?.result]),
      )
      for (const [id, [height, value]] of known.entries())
        expectEqual(results.get(id), toWord(value), `slot at block ${height}`)
    },
  },
  {
    id: 'rpc.envelope.batch.05',
    title: 'In a batch what is no call is an error, and the calls after it have their results',
    area: 'envelope',
    rules: ['RPC-ENV-09', 'RPC-ENV-10'],
    needs: ['rpc'],
    rationale:
      'JSON-RPC 2.0, section 6: each element is answered for itself; the spec is silent (OPEN-01).',
    async run({ rpc }) {
      const call = (id: number) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_call' },
        params: [{ to: IDENTITY, data: toWord(0xba7c200 + id) }, 'latest'],
      })
      const calls = [call(1), 5, call(2), { jsonrpc: '2.0', id: 9, method: 7 }, call(3)]
      const answers = new Map((await askBatch(rpc, calls)).map((each) => [each?.id, each]))
      for (const id of [1, 2, 3])
        expectEqual(answers.get(id)?.result, toWord(0xba7c200 + id), `result of id ${id}`)
    },
  },
  {
    id: 'rpc.envelope.batch-ids.01',
    title: 'In a batch the ids 1 and "1" are two, and each has its own result',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    needs: ['rpc'],
    rationale:
      'As keys of an object they are one: the later result then takes the place of the earlier.',
    async run({ rpc }) {
      const calls = [1, '1', '2', 2].map((id, index) => ({
        ...{ jsonrpc: '2.0', id, method: 'eth_call' },
        params: [{ to: IDENTITY, data: toWord(0xba7c600 + index) }, 'latest'],
      }))
      const answers = await askBatch(rpc, calls)
      for (const { id, params } of calls) {
        const [{ data }] = params as [{ data: string }, string]
        const own = answers.filter((each) => each?.id === id)
        expectEqual(
          own.map((each) => Object(each).result),
          [data],
          `results of id ${JSON.stringify(id)}`,
        )
      }
    },
  },
  {
    id: 'rpc.envelope.http-status.01',
    title:
      'A call of no method, or with wrong parameters, is no failure of the server: its HTTP status is below 500',
    area: 'envelope',
    rules: ['RPC-ENV-11'],
    needs: ['rpc'],
    rationale: 'Clients and proxies read no error object in a 5xx, and ask again instead.',
    async run({ rpc }) {
      const wrong = [
        ['eth_getBlockByNumber', ['0xzz', false]],
        ['eth_getLogs', ['latest']],
        ['eth_call', [{ to: '0x12' }, 'latest']],
        ['eth_getStorageAt', ['0x12', '0x0', 'latest']],
        ['eth_simulateV1', [5, 'latest']],
        ['eth_noSuchMethod', []],
      ] as const
      expectError(await rpc.call('eth_getStorageAt', []), 'reply to no parameters')
      for (const [method, params] of wrong) {
        const { http } = await rpc.call(method, params)
        expectThat(http.status < 500, 'below 500', http.status, `HTTP status of ${method}`)
      }
    },
  },
  {
    id: 'rpc.envelope.seen.01',
    title:
      'Every answer of the run has version and id of its call, and either a result or an error of code and message',
    area: 'envelope',
    rules: ['RPC-ENV-08', 'RPC-ENV-09', 'RPC-ENV-10', 'RPC-ENV-11'],
    needs: ['rpc'],
    judgesAll: true,
    rationale: 'A form that is wrong now and then shows in one of many answers.',
    async run(t) {
      await t.rpc.call('eth_getBlockByNumber', PARAMS)
      await judgeEach(t.seen.envelopes, 'answers', expectEnvelope)
    },
  },
  {
    id: 'rpc.envelope.answer-type.01',
    title: 'Results, errors and batches say that they are JSON',
    area: 'envelope',
    rules: ['RPC-ENV-08'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'The type of a response is not stated; many clients parse no other (OPEN-01).',
    async run({ rpc }) {
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: PARAMS }
      const replies = {
        'a result': await rpc.post(JSON.stringify(call)),
        'an error': await rpc.call('eth_noSuchMethod', []),
        'a batch': await rpc.post(JSON.stringify([call])),
      }
      for (const [what, { http }] of Object.entries(replies)) expectJsonType(http, what)
    },
  },
  {
    id: 'rpc.envelope.http-verb.01',
    title: 'PUT is refused with 405 and a wrong content type with 415',
    area: 'envelope',
    rules: ['RPC-ENV-01', 'RPC-ENV-03'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'Calls are POSTs of JSON; what else a server says is open (OPEN-01).',
    async run({ rpc }) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{}] })
      const put = await rpc.post(body, { method: 'PUT' })
      expectEqual(put.http.status, 405, 'HTTP status of PUT')
      const text = await rpc.post(body, { headers: { 'content-type': 'text/plain' } })
      expectEqual(text.http.status, 415, 'HTTP status of text/plain')
    },
  },
])
