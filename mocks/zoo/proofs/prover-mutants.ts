import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { answerInstead, answersAs, rewriteResponse, rewriteResult, without } from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const ZERO = `0x${'00'.repeat(32)}`

const mutant = mutantsOf('prover', 'prover')

const tee = (change: (tee: TeeJson) => JsonObject) =>
  rewriteResult('prover_prove', (result) => ({ Tee: change((result as { Tee: TeeJson }).Tee) }))
/** Changes every proposal, the aggregate too. */
const proposals = (change: (proposal: JsonObject, index: number) => JsonObject) =>
  tee((all) => ({
    aggregate_proposal: change(all.aggregate_proposal, -1),
    proposals: all.proposals.map(change),
  }))
const keys = (change: (key: number[], index: number) => unknown) =>
  rewriteResult('enclave_signerPublicKey', (result) => (result as number[][]).map(change))
const attestationParams =
  (change: (userData: unknown, nonces: unknown) => readonly unknown[]): Mutant['apply'] =>
  () => ({
    call: (call) =>
      call.method === 'enclave_signerAttestation'
        ? { ...call, params: change(call.params[0], call.params[1]) }
        : call,
  })
const cut = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, 512) : bytes)

/** Mutants of the prover host. */
export const PROVER_MUTANTS: readonly Mutant[] = [
  mutant(
    'PRV-REQ-01',
    'other-name',
    'Does not know prover_prove',
    answerInstead('prover_prove', () => ({ error: { code: -32601, message: 'Method not found' } })),
  ),
  mutant(
    'PRV-REQ-07',
    'exclusive-end',
    'Leaves the last block out',
    tee((all) => ({
      ...all,
      proposals: all.proposals.slice(0, -1),
    })),
  ),
  mutant(
    'PRV-REQ-10',
    'image-hash-checked',
    'Refuses an image hash it does not have',
    answerInstead('prover_prove', ([request]) =>
      /^0x(5a)+$/.test(String((request as JsonObject).image_hash))
        ? { error: { code: -32000, message: 'unknown image' } }
        : undefined,
    ),
  ),
  mutant(
    'PRV-RES-01',
    'bare',
    'Answers without the variant',
    rewriteResult('prover_prove', (result) => (result as { Tee: unknown }).Tee),
  ),
  mutant(
    'PRV-RES-01',
    'beside-zk',
    'Names another variant beside',
    rewriteResult('prover_prove', (result) => ({ ...(result as JsonObject), Zk: null })),
  ),
  mutant(
    'PRV-RES-02',
    'aggregate-list',
    'The aggregate is a list',
    tee((all) => ({
      ...all,
      aggregate_proposal: [all.aggregate_proposal],
    })),
  ),
  mutant(
    'PRV-RES-03',
    'sampled-only',
    'Lists sampled blocks only',
    tee((all) => ({
      ...all,
      proposals: all.proposals.filter((_, index) => index % 2 === 1),
    })),
  ),
  mutant(
    'PRV-RES-04',
    'last-interval-only',
    'The aggregate spans the last block only',
    tee((all) => ({
      ...all,
      aggregate_proposal: {
        ...all.aggregate_proposal,
        prev_output_root: all.proposals.at(-1)?.prev_output_root,
      },
    })),
  ),
  mutant(
    'PRV-RES-05',
    'reversed',
    'Proposals in reverse',
    tee((all) => ({
      ...all,
      proposals: [...all.proposals].reverse(),
    })),
  ),
  mutant(
    'PRV-RES-06',
    'all-the-agreed-root',
    'Every previous root is the agreed one',
    tee((all) => ({
      ...all,
      proposals: all.proposals.map((each) => ({
        ...each,
        prev_output_root: all.proposals[0]?.prev_output_root,
      })),
    })),
  ),
  mutant(
    'PRV-RES-07',
    'first-zero',
    'The first previous root is zero',
    proposals((each, index) => (index === 0 ? { ...each, prev_output_root: ZERO } : each)),
  ),
  mutant(
    'PRV-PROP-01',
    'no-config-hash',
    'Leaves config_hash out',
    proposals((each) => without(each, 'config_hash')),
  ),
  mutant(
    'PRV-PROP-02',
    'other-root',
    'Another root than the output root',
    proposals((each) => ({
      ...each,
      output_root: each.config_hash,
    })),
  ),
  mutant(
    'PRV-PROP-03',
    'other-l1-hash',
    'Another L1 hash',
    proposals((each) => ({
      ...each,
      l1_origin_hash: each.config_hash,
    })),
  ),
  mutant(
    'PRV-PROP-04',
    'other-l1-number',
    'Another L1 number',
    proposals((each) => ({
      ...each,
      l1_origin_number: Number(each.l1_origin_number) - 1,
    })),
  ),
  mutant(
    'PRV-PROP-05',
    'starting-block',
    'Reports the starting block',
    proposals((each) => ({
      ...each,
      l2_block_number: Number(each.l2_block_number) - 1,
    })),
  ),
  mutant(
    'PRV-PROP-06',
    'previous-is-own',
    'The previous root is its own',
    proposals((each) => ({
      ...each,
      prev_output_root: each.output_root,
    })),
  ),
  mutant(
    'PRV-PROP-07',
    'config-hash-zero',
    'config_hash is zero',
    proposals((each) => ({
      ...each,
      config_hash: ZERO,
    })),
  ),
  mutant(
    'PRV-PROP-08',
    'signed-again',
    'Signs the aggregate of one block anew',
    tee((all) => ({
      ...all,
      aggregate_proposal: {
        ...all.aggregate_proposal,
        signature: String(all.aggregate_proposal.signature).replace(/..$/, '1f'),
      },
    })),
  ),
  mutant(
    'PRV-PROP-09',
    'signature-reused',
    'The aggregate has the last signature',
    tee((all) => ({
      ...all,
      aggregate_proposal: {
        ...all.aggregate_proposal,
        signature: all.proposals.at(-1)?.signature,
      },
    })),
  ),
  mutant('PRV-REQ-12', 'claim-ignored', 'Proves whatever root is claimed', () => {
    let last: unknown
    return {
      response(response, { method }) {
        if (method !== 'prover_prove') return response
        if ('result' in response) last = response.result
        return 'error' in response
          ? { ...without(response, 'error'), result: last ?? null }
          : response
      },
    }
  }),
  mutant(
    'ERR-14',
    'other-code',
    'Another code for a failed proof',
    rewriteResponse((response, { method }) =>
      method === 'prover_prove' && 'error' in response
        ? { ...response, error: { code: -32603, message: 'Internal error' } }
        : response,
    ),
  ),
  mutant(
    'HOST-RPC-02',
    'index-demanded',
    'Demands an enclave index',
    answerInstead('enclave_signerPublicKey', (params) =>
      params.length ? undefined : { error: { code: -32602, message: 'missing index' } },
    ),
  ),
  mutant(
    'HOST-RPC-05',
    'compressed',
    'Gives compressed keys',
    keys((key) => [2 + ((key[64] ?? 0) & 1), ...key.slice(1, 33)]),
  ),
  mutant(
    'ERR-06',
    'nonces-fitted',
    'Drops a nonce too many',
    attestationParams((userData, nonces) => [
      userData,
      Array.isArray(nonces) ? nonces.slice(0, 1) : nonces,
    ]),
  ),
  mutant(
    'ERR-07',
    'user-data-cut',
    'Cuts long user data',
    attestationParams((userData, nonces) => [cut(userData), nonces]),
  ),
  mutant(
    'ERR-08',
    'nonce-cut',
    'Cuts long nonces',
    attestationParams((userData, nonces) => [
      userData,
      Array.isArray(nonces) ? nonces.map(cut) : nonces,
    ]),
  ),
  mutant(
    'LIM-04',
    'limit-off-by-one',
    'Refuses 512 bytes',
    answerInstead('enclave_signerAttestation', ([userData]) =>
      Array.isArray(userData) && userData.length >= 512
        ? { error: { code: -32602, message: 'user_data exceeds 512-byte limit' } }
        : undefined,
    ),
  ),
  mutant(
    'HOST-RPC-15',
    'no-version',
    'Leaves jsonrpc out',
    rewriteResponse((response) => without(response, 'jsonrpc')),
  ),
  mutant(
    'HOST-RPC-15',
    'id-as-string',
    'Turns ids into strings',
    rewriteResponse((response) => ({ ...response, id: String(response.id) })),
  ),
  mutant('HOST-RPC-15', 'says-html', 'Calls its answers HTML', answersAs('text/html')),
  mutant('HOST-RPC-15', 'errors-are-500', 'Answers errors with HTTP 500', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      return answer.body.includes('"error"') ? { ...answer, status: 500 } : answer
    },
  })),
  mutant('HOST-HEALTH-06', 'static-health', 'GET /healthz is a static page', () => ({
    http: async (request, forward) =>
      request.method === 'GET'
        ? { status: 200, headers: {}, body: '{"ok":true}' }
        : forward(request),
  })),
  mutant(
    'HOST-HEALTH-07',
    'health-by-get-only',
    'No healthz method',
    answerInstead('healthz', () => ({
      error: { code: -32601, message: 'Method not found' },
    })),
  ),
  mutant('HOST-RPC-01', 'health-elsewhere', 'No GET /healthz on this port', () => ({
    http: async (request, forward) =>
      request.method === 'GET' ? { status: 404, headers: {}, body: '' } : forward(request),
  })),
]
