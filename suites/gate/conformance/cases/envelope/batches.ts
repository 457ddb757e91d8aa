import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { IDENTITY } from '../../probes/identity.ts'
import { askBatch } from '../../reads/ask-batch.ts'
import { READ_METHODS } from '../../spec/read-methods.ts'

const METHOD_NOT_FOUND = -32601

export const cases = defineCases([
  {
    id: 'rpc.envelope.batch.06',
    title: 'A batch of one call is answered by a list of one',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    level: 'should',
    needs: ['rpc'],
    rationale:
      'A client that gathers calls may have gathered one; it looks into a list all the same.',
    async run({ rpc }) {
      const call = { jsonrpc: '2.0', id: 5, method: 'eth_getLogs', params: [{}] }
      const { http } = await rpc.post(JSON.stringify([call]))
      const ids = Array.isArray(http.json) ? http.json.map((each) => each?.id) : http.json
      expectEqual(ids, [5], 'ids')
    },
  },
  {
    id: 'rpc.envelope.batch.07',
    title: 'In a batch there are all five methods',
    area: 'envelope',
    rules: ['RPC-ENV-02', 'RPC-ENV-06', 'RPC-ENV-15'],
    needs: ['rpc'],
    rationale: 'What stands in front of a node may know the methods, and send batches another way.',
    async run({ rpc }) {
      // What is not there outside of batches either is one failure, of the case that asks for it.
      for (const [method, params] of READ_METHODS) await rpc.call(method, params)
      const calls = READ_METHODS.map(([method, params], id) => ({
        jsonrpc: '2.0',
        id,
        method,
        params,
      }))
      const answers = await askBatch(rpc, calls)
      for (const { id, method } of calls) {
        const answer = Object(answers.find((each) => each?.id === id))
        const { code } = Object(answer.error)
        expectThat(code !== METHOD_NOT_FOUND, 'a method that is there', answer, method)
        expectThat('result' in answer, 'a result', answer, `answer to ${method}`)
      }
    },
  },
  {
    id: 'rpc.envelope.batch-notification.01',
    title: 'Behind a notification of a batch each answer has the id and the result of its own call',
    area: 'envelope',
    rules: ['RPC-ENV-09'],
    needs: ['rpc'],
    rationale:
      'A call without an id gets no answer (JSON-RPC 2.0, OPEN-01): whoever counts answers by place is one off.',
    async run({ rpc }) {
      const [first, second] = [anyBytes(32, '0x01'), anyBytes(32, '0x02')]
      const call = (data: string) => ({
        jsonrpc: '2.0',
        method: 'eth_call',
        params: [{ to: IDENTITY, data }, 'latest'],
      })
      const notified = call(anyBytes(32))
      const answers = await askBatch(rpc, [
        notified,
        { ...call(first), id: 7 },
        notified,
        { ...call(second), id: 'eight' },
      ])
      const found = answers.map((each) => [Object(each).id ?? null, Object(each).result])
      for (const [id, data] of [[7, first] as const, ['eight', second] as const])
        expectEqual(found.find(([each]) => each === id)?.[1], data, `result of ${id}`)
    },
  },
])
