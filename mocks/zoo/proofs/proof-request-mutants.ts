import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { keptFor } from '../parts/kept-for.ts'
import {
  answerInstead,
  rewriteError,
  rewriteFirst,
  rewriteResponse,
  rewriteResult,
  without,
} from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const PROVE = 'prover_prove'
const OTHER_HASH = `0x${'a5'.repeat(32)}`

const mutant = mutantsOf('prover', 'prover')

/** Changes a proof, knowing what was asked for. */
const proof = (change: (tee: TeeJson, request: JsonObject) => JsonObject): Mutant['apply'] =>
  rewriteResult(PROVE, (result, { params }) => ({
    Tee: change((result as { Tee: TeeJson }).Tee, params[0] as JsonObject),
  }))

const each = (change: (proposal: JsonObject) => JsonObject) =>
  proof(({ aggregate_proposal, proposals }) => ({
    aggregate_proposal: change(aggregate_proposal),
    proposals: proposals.map(change),
  }))

/** Answers a refused request with a change of an earlier proof. */
const insteadOfError = (
  isMeant: (request: JsonObject, proven: JsonObject) => boolean,
  change: (tee: TeeJson, request: JsonObject) => unknown,
): Mutant['apply'] => {
  return (): MutantHooks => {
    // All of them: which proof came last depends on the order in which cases ask.
    const proofs: { tee: TeeJson; request: JsonObject }[] = []
    return {
      response(response, { method, params }) {
        if (method !== PROVE) return response
        const request = params[0] as JsonObject
        if ('result' in response) {
          proofs.push({ tee: (response.result as { Tee: TeeJson }).Tee, request })
          return response
        }
        const meant = proofs.find((proof) => isMeant(request, proof.request))
        if (!meant) return response
        return { ...without(response, 'error'), result: { Tee: change(meant.tee, request) } }
      },
    }
  }
}

const isClaimWrong = (request: JsonObject, proven: JsonObject) =>
  request.claimed_l2_output_root !== proven.claimed_l2_output_root &&
  request.claimed_l2_block_number === proven.claimed_l2_block_number

/** Puts members of the first request with the same `of` into each later one. */
const firstKept =
  (members: readonly string[], of: string): Mutant['apply'] =>
  (context) => {
    const kept = new Map<unknown, JsonObject>()
    const keep = rewriteFirst(PROVE, (request) => {
      const first = kept.get(request[of]) ?? request
      kept.set(request[of], first)
      return { ...request, ...Object.fromEntries(members.map((name) => [name, first[name]])) }
    })
    return keep(context)
  }

const proofWithout =
  (...members: readonly string[]) =>
  ([request]: readonly unknown[]) =>
    JSON.stringify(request, (name, value) => (members.includes(name) ? undefined : value))

/** Mutants of how the members of a proof request are used, and of what follows a false claim. */
export const PROOF_REQUEST_MUTANTS: readonly Mutant[] = [
  mutant(
    'PRV-REQ-02',
    'no-aggregate-for-disputes',
    'Makes no aggregate for whom it takes for a challenger',
    proof((tee, request) =>
      request.intermediate_block_interval === 1
        ? without({ ...tee }, 'aggregate_proposal')
        : { ...tee },
    ),
  ),
  mutant(
    'PRV-REQ-03',
    'newest-l1-head',
    'Puts another L1 block in place of the requested one',
    each((proposal) => ({
      ...proposal,
      l1_origin_hash: OTHER_HASH,
      l1_origin_number: Number(proposal.l1_origin_number) + 1,
    })),
  ),
  mutant(
    'PRV-REQ-03',
    'first-head-kept',
    'Derives to the L1 head of the first request',
    firstKept(['l1_head', 'l1_head_number'], 'image_hash'),
  ),
  mutant(
    'PRV-REQ-05',
    'parent-by-root',
    'Knows the parent by its root, and does not look at its hash',
    firstKept(['agreed_l2_head_hash'], 'agreed_l2_output_root'),
  ),
  mutant(
    'PRV-REQ-07',
    'number-by-root',
    'Knows the last block by its root, and does not look at its number',
    firstKept(['claimed_l2_block_number'], 'claimed_l2_output_root'),
  ),
  mutant(
    'PRV-REQ-04',
    'newest-l1-number',
    'Reads the L1 number anew',
    each((proposal) => ({
      ...proposal,
      l1_origin_number: Number(proposal.l1_origin_number) + 1,
    })),
  ),
  mutant(
    'PRV-REQ-04',
    'no-number-is-zero',
    'Says block 0 where no L1 number was given',
    proof((tee, request) => {
      if (request.l1_head_number !== undefined) return { ...tee }
      const nameless = (proposal: JsonObject) => ({ ...proposal, l1_origin_number: 0 })
      return {
        aggregate_proposal: nameless(tee.aggregate_proposal),
        proposals: tee.proposals.map(nameless),
      }
    }),
  ),
  mutant(
    'PRV-REQ-08',
    'no-proposer-is-zero',
    'Signs over the zero address where no proposer was given',
    rewriteFirst(PROVE, (request) => ({ proposer: `0x${'00'.repeat(20)}`, ...request })),
  ),
  mutant(
    'PRV-REQ-09',
    'no-interval-is-zero',
    'Takes zero where no interval was given',
    rewriteFirst(PROVE, (request) => ({ intermediate_block_interval: 0, ...request })),
  ),
  mutant(
    'PRV-REQ-05',
    'agreed-block-is-first',
    'Takes the block after the agreed one for the parent',
    proof((tee) => ({ ...tee, proposals: tee.proposals.slice(1) })),
  ),
  mutant(
    'PRV-REQ-06',
    'agreed-root-replaced',
    'Takes the agreed root from the L2 node',
    insteadOfError(
      (request, proven) => request.agreed_l2_output_root !== proven.agreed_l2_output_root,
      (tee) => tee,
    ),
  ),
  mutant(
    'PRV-REQ-09',
    'fixed-interval',
    'Samples every second block whatever is asked',
    rewriteFirst(PROVE, (request) =>
      'intermediate_block_interval' in request
        ? { ...request, intermediate_block_interval: 2 }
        : request,
    ),
  ),
  mutant(
    'PRV-REQ-11',
    'routed-by-image-hash',
    'Picks the enclave by image_hash',
    answerInstead(PROVE, ([request]) =>
      /^0x(5a)+$/.test(String((request as JsonObject | undefined)?.image_hash))
        ? { error: { code: -32001, message: 'no valid signer found among: []' } }
        : undefined,
    ),
  ),
  mutant(
    'PIPE-15',
    'config-hash-computed',
    'Computes the config hash anew for every request',
    proof(({ aggregate_proposal, proposals }) => {
      const config_hash = proposals.length === 1 ? OTHER_HASH : aggregate_proposal.config_hash
      return {
        aggregate_proposal: { ...aggregate_proposal, config_hash },
        proposals: proposals.map((proposal) => ({ ...proposal, config_hash })),
      }
    }),
  ),
  mutant(
    'PIPE-17',
    'claim-repeated',
    'Repeats the claimed root for every block',
    proof((tee, request) => ({
      ...tee,
      proposals: tee.proposals.map((proposal) => ({
        ...proposal,
        output_root: request.claimed_l2_output_root,
      })),
    })),
  ),
  mutant(
    'PIPE-18',
    'claim-not-compared',
    'Signs the claimed root without comparing',
    insteadOfError(isClaimWrong, (tee, request) => ({
      ...tee,
      aggregate_proposal: {
        ...tee.aggregate_proposal,
        output_root: request.claimed_l2_output_root,
      },
    })),
  ),
  mutant(
    'SAFE-03',
    'blocks-signed-anyway',
    'Withholds only the aggregate when the claim is wrong',
    insteadOfError(isClaimWrong, (tee) => ({ ...tee, aggregate_proposal: null })),
  ),
  mutant(
    'ERR-15',
    'message-hidden',
    'Hides what the enclave said',
    rewriteError(PROVE, (error) => ({ ...error, message: 'Internal error' })),
  ),
  mutant(
    'HOST-RPC-03',
    'last-key-missing',
    "Leaves the last enclave's key out",
    rewriteResult('enclave_signerPublicKey', (result) => (result as unknown[]).slice(0, -1)),
  ),
  mutant(
    'LIM-05',
    'limit-on-the-sum',
    'Counts user_data and nonces together',
    answerInstead('enclave_signerAttestation', ([userData, nonces]) =>
      [userData, nonces].flat(2).length > 512
        ? { error: { code: -32602, message: 'nonce exceeds 512-byte limit' } }
        : undefined,
    ),
  ),
  mutant(
    'SAFE-06',
    'limits-left-to-the-enclave',
    'Leaves the limits to the security module',
    rewriteResponse((response, { method }) => {
      const error = response.error as JsonObject | undefined
      return method === 'enclave_signerAttestation' && /512/.test(String(error?.message))
        ? { ...response, error: { code: -32001, message: 'enclave error: InputTooLarge' } }
        : response
    }),
  ),
  mutant(
    'PRV-REQ-09',
    'kept-at-any-interval',
    'Keeps a proof for whoever asks with another interval',
    keptFor(PROVE, proofWithout('intermediate_block_interval')),
  ),
  mutant(
    'PRV-REQ-03',
    'kept-at-any-head',
    'Keeps a proof for whoever asks from another L1 head',
    keptFor(PROVE, proofWithout('l1_head', 'l1_head_number')),
  ),
]
