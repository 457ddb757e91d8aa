import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectJsonType } from '../../matchers/expect-json-type.ts'
import { askBatch } from '../../reads/ask-batch.ts'
import { expectEnvelope } from '../../seen/expect-envelope.ts'
import { judgeEach } from '../../seen/judge-each.ts'

export const cases = defineCases([
  {
    id: 'prover.rpc.seen.01',
    title:
      'Every answer of the host has version and id of its call, and either a result or an error of code and message',
    area: 'prover',
    rules: ['HOST-RPC-15'],
    needs: ['prover'],
    judgesAll: true,
    rationale:
      'It is JSON-RPC: callers match answers by id, and strict ones drop what says no 2.0.',
    async run(t) {
      await t.prover.call('enclave_signerPublicKey', [])
      await judgeEach(t.seenProver.envelopes, 'answers', expectEnvelope)
    },
  },
  {
    id: 'prover.rpc.batch.01',
    title: 'In a batch to the host a call that fails leaves the others their results',
    area: 'prover',
    rules: ['HOST-RPC-15', 'HOST-RPC-02'],
    needs: ['prover'],
    rationale: 'Each answer of a batch is that of its own call (JSON-RPC 2.0, section 6).',
    async run({ prover }) {
      const keys = await prover.result('enclave_signerPublicKey', [])
      const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [] })
      const answers = await askBatch(prover, [
        call(1, 'enclave_signerPublicKey'),
        call(2, 'prover_noSuchMethod'),
        call(3, 'enclave_signerPublicKey'),
      ])
      const resultOf = (id: number) => answers.find((each) => Object(each).id === id)?.result
      expectEqual([1, 3].map(resultOf), [keys, keys], 'keys, beside a call that fails')
      expectEqual(resultOf(2), undefined, 'result of a method that is not there')
    },
  },
  {
    id: 'prover.rpc.answer-type.01',
    title: 'Results and errors of the host say that they are JSON',
    area: 'prover',
    rules: ['HOST-RPC-15'],
    level: 'should',
    needs: ['prover'],
    rationale: 'The type of a response is not stated; many clients parse no other.',
    async run({ prover }) {
      const keys = await prover.call('enclave_signerPublicKey', [])
      expectJsonType(keys.http, 'a result')
      expectJsonType((await prover.call('enclave_signerAttestation', [null, []])).http, 'an error')
    },
  },
  {
    id: 'prover.rpc.http-status.01',
    title: 'A call with wrong parameters is no failure of the host: its HTTP status is below 500',
    area: 'prover',
    rules: ['HOST-RPC-15'],
    level: 'should',
    needs: ['prover'],
    rationale: 'Clients read no error object in a 5xx; that document states no HTTP status.',
    async run({ prover }) {
      const { http } = await prover.call('enclave_signerAttestation', [null, []])
      expectThat(http.status < 500, 'below 500', http.status, 'HTTP status')
    },
  },
])
