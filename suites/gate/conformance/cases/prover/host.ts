import { isDeepStrictEqual } from 'node:util'
import { notApplicable } from '../../case-failure.ts'
import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import { expectPoint } from '../../matchers/expect-point.ts'
import {
  enclaveIdentities,
  expectByteVectors,
  expectDocuments,
} from '../../scenes/enclave-identities.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'
import { twoPieces } from '../../wire/two-pieces.ts'

const KEYS = 'enclave_signerPublicKey'
const bytes = (length: number) => Array.from({ length }, () => 7)

const TOO_LONG: readonly (readonly [string, string[], (count: number) => unknown[]])[] = [
  ['one nonce too many', ['ERR-06'], (count) => [null, Array(count + 1).fill([1])]],
  ['no nonce in the list', ['ERR-06'], () => [null, []]],
  ['513 bytes of user_data', ['ERR-07', 'SAFE-06'], () => [bytes(513), null]],
  [
    'a last nonce of 513 bytes',
    ['ERR-08', 'SAFE-06'],
    (count) => [null, [...Array(Math.max(0, count - 1)).fill([1]), bytes(513)]],
  ],
  // As many as there should be, for who counts in a byte.
  ['256 nonces too many', ['ERR-06'], (count) => [null, Array(count + 256).fill([1])]],
  ['513 zeros for user_data', ['ERR-07', 'SAFE-06'], () => [Array(513).fill(0), null]],
  // Each is measured for itself, whatever stands beside it.
  [
    'a last nonce of 513 bytes beside user_data',
    ['ERR-08', 'SAFE-06'],
    (count) => [bytes(3), [...Array(Math.max(0, count - 1)).fill([1]), bytes(513)]],
  ],
  [
    '513 bytes of user_data beside nonces',
    ['ERR-07', 'SAFE-06'],
    (count) => [bytes(513), Array(count).fill([1])],
  ],
]

export const cases = defineCases([
  {
    id: 'prover.keys.points.01',
    title: 'enclave_signerPublicKey gives a 65-byte point on the curve for each enclave',
    area: 'prover',
    rules: ['HOST-RPC-02', 'HOST-RPC-03', 'HOST-RPC-05'],
    needs: ['prover'],
    rationale: 'Uncompressed, beginning with 04, and truly a point of secp256k1.',
    async run(t) {
      const keys = expectByteVectors((await t.scene(enclaveIdentities)).keys, 'keys')
      expectThat(keys.length > 0, 'one or more', keys.length, 'number of keys')
      for (const [index, key] of keys.entries()) expectPoint(key, `keys[${index}]`)
    },
  },
  {
    id: 'prover.keys.stable.01',
    title: 'The keys stay the same from call to call, one document for each',
    area: 'prover',
    rules: ['HOST-RPC-02', 'HOST-RPC-08'],
    needs: ['prover'],
    rationale: 'The key is made once, at boot.',
    async run(t) {
      const { keys, bare } = await t.scene(enclaveIdentities)
      expectEqual(await t.prover.result('enclave_signerPublicKey', []), keys.body.result, 'keys')
      const documents = resultOf(bare, 'enclave_signerAttestation') as unknown[]
      expectEqual(documents.length, (keys.body.result as unknown[]).length, 'documents')
    },
  },
  ...TOO_LONG.map(
    ([what, rules, params], index): ConformanceCase => ({
      id: `prover.attestation.refused.0${index + 1}`,
      title: `enclave_signerAttestation with ${what} is error -32602`,
      area: 'prover',
      rules,
      needs: ['prover'],
      rationale: 'The host checks before anything goes over vsock.',
      async run(t) {
        const keys = expectByteVectors((await t.scene(enclaveIdentities)).keys, 'keys')
        const reply = await t.prover.call('enclave_signerAttestation', params(keys.length))
        expectError(reply, 'reply', -32602)
      },
    }),
  ),
  {
    id: 'prover.attestation.limits.01',
    title: '512 bytes of user_data and of each nonce are accepted',
    area: 'prover',
    rules: ['LIM-04', 'LIM-05', 'HOST-RPC-06', 'HOST-RPC-07'],
    needs: ['prover'],
    rationale: 'The limit itself is allowed, for each on its own.',
    async run(t) {
      const keys = expectByteVectors((await t.scene(enclaveIdentities)).keys, 'keys')
      const nonces = keys.map(() => bytes(512))
      await t.prover.result('enclave_signerAttestation', [bytes(512), nonces])
    },
  },
  {
    id: 'prover.attestation.optional.01',
    title: 'Documents are given without nonces, and without anything, as well',
    area: 'prover',
    rules: ['HOST-RPC-06', 'HOST-RPC-07', 'HOST-RPC-13'],
    needs: ['prover'],
    rationale: 'Both are optional: who has none leaves its place out (OPEN-58).',
    async run({ prover }) {
      for (const params of [[], [bytes(3)]]) {
        const documents = await prover.result('enclave_signerAttestation', params)
        const count = Array.isArray(documents) ? documents.length : 0
        expectThat(count > 0, 'documents', documents, `result of ${params.length} parameters`)
      }
    },
  },
  {
    id: 'prover.attestation.by-name.01',
    title: 'User data and nonces that are named are bound',
    area: 'prover',
    rules: ['HOST-RPC-06', 'HOST-RPC-07', 'ATT-07', 'ATT-08'],
    level: 'should',
    needs: ['prover'],
    rationale:
      'JSON-RPC 2.0, section 4.2, has params by name; to leave them out without a word binds nothing (OPEN-58).',
    async run(t) {
      const keys = expectByteVectors((await t.scene(enclaveIdentities)).keys, 'keys')
      const [user_data, nonces] = [bytes(5), keys.map((_, index) => [9, index])]
      const reply = await t.prover.call('enclave_signerAttestation', { user_data, nonces })
      if ('error' in reply.body) notApplicable('It takes no parameters by name.')
      for (const [index, { payload }] of expectDocuments(reply).entries()) {
        expectEqual([...(payload.user_data ?? [])], user_data, `user_data of document ${index}`)
        expectEqual([...(payload.nonce ?? [])], nonces[index], `nonce of document ${index}`)
      }
    },
  },
  {
    id: 'prover.rpc.no-params.01',
    title: 'What takes no params is answered without the member, too',
    area: 'prover',
    rules: ['HOST-RPC-02', 'HOST-HEALTH-07'],
    needs: ['prover'],
    rationale: 'JSON-RPC 2.0, section 4: params may be left out, and some clients do.',
    async run({ prover }) {
      for (const method of ['healthz', 'enclave_signerPublicKey']) {
        const reply = await prover.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method }))
        resultOf(reply, `${method} without params`)
      }
    },
  },
  {
    id: 'prover.rpc.spelling.01',
    title:
      'Line breaks in a request, a text as its id and a charset beside its type make no other one',
    area: 'prover',
    rules: ['HOST-RPC-15', 'HOST-RPC-02'],
    needs: ['prover'],
    rationale: 'JSON-RPC 2.0, section 4, takes text for an id; clients indent, and name UTF-8.',
    async run({ prover }) {
      const keys = await prover.result(KEYS, [])
      const request = { jsonrpc: '2.0', id: 'keys, please', method: KEYS, params: [] }
      const named = await prover.post(JSON.stringify(request))
      expectEqual(resultOf(named, KEYS), keys, 'keys')
      expectEqual(named.body.id, request.id, 'id')
      const indented = await prover.post(`${JSON.stringify({ ...request, id: 7 }, null, 2)}\n`)
      expectEqual(resultOf(indented, `${KEYS}, indented`), keys, 'keys, asked for with line breaks')
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      const typed = await prover.post(JSON.stringify({ ...request, id: 8 }), { headers })
      expectEqual(resultOf(typed, `${KEYS} with a charset`), keys, 'keys, asked for with a charset')
    },
  },
  {
    id: 'prover.rpc.in-pieces.01',
    title: 'A request that comes in two pieces, or in two chunks, is one request',
    area: 'prover',
    rules: ['HOST-RPC-15', 'HOST-RPC-02'],
    needs: ['prover'],
    rationale: 'A connection has no borders: what one read gives is what has come so far.',
    async run(t) {
      const keys = await t.prover.result(KEYS, [])
      const body = JSON.stringify({ jsonrpc: '2.0', id: 9, method: KEYS, params: [] })
      for (const pieces of twoPieces([1, body.length >> 1, body.length - 1], t)) {
        const reply = await t.prover.post(body, { pieces })
        expectEqual(resultOf(reply, KEYS), keys, `keys, asked for by a body ${pieces.says}`)
      }
    },
  },
  {
    id: 'prover.health.get.01',
    title: 'GET /healthz on the RPC port is 200 with what the healthz method returns',
    area: 'prover',
    rules: ['HOST-RPC-01', 'HOST-HEALTH-06', 'HOST-HEALTH-07'],
    needs: ['prover'],
    rationale: 'Load balancers ask by GET; one listener serves both.',
    async run({ prover }) {
      // What a host tells beside its version may change between two questions, and does on a busy machine.
      const before = await prover.result('healthz', [])
      const { http } = await prover.get('/healthz')
      const after = await prover.result('healthz', [])
      expectEqual(http.status, 200, 'HTTP status')
      expectEqual(http.json, isDeepStrictEqual(http.json, before) ? before : after, 'body')
    },
  },
])
