import { keccak256, toHex } from 'viem'
import { decodeResponse } from '#suites/gate/conformance/spec/enclave-payloads'
import { remembering, repaired } from './enclave-mutants.ts'
import { changing } from './journal-mutants.ts'
import { type JsonObject, type Mutant, mutantsOf } from './mutant.ts'
import { type Hex, pack, type Request, type Tee, word } from './resign-proof.ts'
import { rewriteParams, rewriteResult } from './rewrites.ts'

/** Mutants from a second list that was written without a look at the cases: after a longer one, after a failure, beyond a length. */

const [prover, enclave] = [mutantsOf('prover', 'prover'), mutantsOf('enclave', 'enclave')]
const [PROVE, ATTEST] = ['prover_prove', 'enclave_signerAttestation'] as const
const OTHER_WORD = keccak256(toHex('another'))
/** Bytes of user data (LIM-04). */
const MOST = 512
/** Milliseconds. */
const READS_FOR = 20

type Asked = Request & { agreed_l2_head_hash: Hex }
type Proposals = Tee['proposals']

const teeOf = (response: JsonObject) => (response.result as { Tee?: Tee } | undefined)?.Tee
const withTee = (response: JsonObject, tee: Tee) => ({ ...response, result: { Tee: tee } })

const proof = (rule: string, name: string, says: string, change: (tee: Tee) => Tee) =>
  prover(
    rule,
    name,
    says,
    rewriteResult(PROVE, (result) => ({ Tee: change((result as { Tee: Tee }).Tee) })),
  )
/** The proposal at one place of a long range is wrong. */
const oneOfMany = (
  rule: string,
  name: string,
  says: string,
  place: number,
  change: (all: Proposals) => JsonObject,
) =>
  proof(rule, name, says, (tee) => ({
    ...tee,
    proposals: tee.proposals.map((each, at, all) =>
      at === place ? { ...each, ...change(all) } : each,
    ),
  }))
/** Changes the responses to requests for proofs. */
const responses = (
  rule: string,
  name: string,
  says: string,
  make: () => (response: JsonObject) => JsonObject,
) =>
  prover(rule, name, says, () => {
    const change = make()
    return {
      response: (response, { method }) => (method === PROVE ? change(response) : response),
    }
  })
const documentsAskedBy = (
  rule: string,
  name: string,
  says: string,
  change: (userData: unknown, nonces: unknown) => unknown[],
) =>
  prover(
    rule,
    name,
    says,
    rewriteParams(ATTEST, ([data, nonces]) => change(data, nonces)),
  )
const openAfter = (kind: 'Error' | 'Prove') => () => ({
  enclave: {
    habits: { keepsOpen: (response: Uint8Array) => decodeResponse(response).kind === kind },
  },
})

export const AFTERWARDS_MUTANTS: readonly Mutant[] = [
  proof('PRV-RES-03', 'ten-blocks', 'Lists ten blocks at most', (tee) => ({
    ...tee,
    proposals: tee.proposals.slice(0, 10),
  })),
  oneOfMany('PRV-RES-06', 'ninth-before', 'Has a root of two before for the ninth', 8, (all) => ({
    prev_output_root: all[6]!.output_root,
  })),
  oneOfMany('PRV-PROP-03', 'origin-of-fifth', 'Has another origin for the fifth', 4, () => ({
    l1_origin_hash: OTHER_WORD,
  })),
  prover(
    'PRV-PROP-05',
    'aggregate-of-longer',
    'Has the aggregate of the longest range from a parent',
    () => {
      const longest = new Map<string, Tee>()
      return {
        response(response, { method, params }) {
          const tee = teeOf(response)
          if (method !== PROVE || !tee) return response
          const { agreed_l2_head_hash, l1_head, proposer } = params[0] as Asked
          const key = [agreed_l2_head_hash, l1_head, proposer].join()
          const known = longest.get(key)
          const isLonger = !known || known.proposals.length < tee.proposals.length
          if (isLonger) longest.set(key, tee)
          const { aggregate_proposal } = isLonger ? tee : known
          return withTee(response, { ...tee, aggregate_proposal })
        },
      }
    },
  ),
  responses('PRV-PROP-07', 'config-lost', 'Loses the config hash by a failure', () => {
    let isLost = false
    return (response) => {
      const tee = teeOf(response)
      const wasLost = isLost
      isLost = !tee
      if (!tee || !wasLost) return response
      const proposals = tee.proposals.map((each) => ({ ...each, config_hash: word(0n) }))
      return withTee(response, { ...tee, proposals })
    }
  }),
  responses('ERR-15', 'message-of-before', 'Tells of the failure before', () => {
    let before: unknown
    return (response) => {
      const error = response.error as JsonObject | undefined
      if (error?.code !== -32000) return response
      const message = before ?? error.message
      before = error.message
      return { ...response, error: { ...error, message } }
    }
  }),
  documentsAskedBy(
    'ERR-07',
    'zeros-uncounted',
    'Does not count zeros at the end of user_data',
    (data, nonces) => {
      if (!Array.isArray(data) || data.length <= MOST) return [data, nonces]
      return [data.slice(0, Math.max(MOST, data.findLastIndex(Boolean) + 1)), nonces]
    },
  ),
  documentsAskedBy('ERR-06', 'count-of-a-byte', 'Counts nonces in a byte', (data, nonces) =>
    Array.isArray(nonces) && nonces.length > 256
      ? [data, nonces.slice(0, nonces.length % 256)]
      : [data, nonces],
  ),
  changing('JRN-02', 'four-roots', 'Signs four roots at most', () => ({
    pack: (signed) => pack({ ...signed, roots: signed.roots.slice(0, 4) }),
  })),
  changing('JRN-18', 'image-asked-before', 'Signs for the image of the request before', () => {
    let [before, now]: (Hex | undefined)[] = []
    let proven: readonly Hex[] | undefined
    return {
      pack: (signed) => {
        if (proven !== signed.allRoots) [before, now] = [now, signed.requestedImageHash]
        proven = signed.allRoots
        return pack({ ...signed, imageHash: before ?? signed.imageHash })
      },
    }
  }),
  enclave(
    'ENC-PROTO-04',
    'open-after-error',
    'Leaves the connection open after an error',
    openAfter('Error'),
  ),
  enclave(
    'ENC-PROTO-04',
    'open-after-proof',
    'Leaves the connection open after a proof',
    openAfter('Prove'),
  ),
  enclave('ENC-KIND-02', 'last-of-two', 'Answers two at once as the last of them', ({ clock }) => {
    let last: Uint8Array
    return {
      enclave: {
        answer: (forward) => async (payload) => {
          last = payload
          await new Promise<void>((resolve) => clock.after(READS_FOR, resolve))
          return forward(last)
        },
      },
    }
  }),
  remembering('PIPE-07', 'first-64-verified', 'Verifies the first 64 pairs', (preimages, first) =>
    repaired(preimages, first, (pair) => preimages.indexOf(pair) >= 64),
  ),
]
