import { defineCases } from '../../conformance-case.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { expectJsonType } from '../../matchers/expect-json-type.ts'
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
