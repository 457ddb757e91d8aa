import { answering, beforeEnclaves, cidsOf, hasFlag, withFlags } from '#mocks/host/host-changes'
import { decodeRequest, encodeRequest } from '#suites/gate/conformance/spec/enclave-payloads'
import { hostMutant } from '../host-mutant.ts'
import type { JsonObject, Mutant, MutantHooks } from '../mutant.ts'
import { changedProof } from '../parts/changed-proof.ts'
import { refused } from '../parts/refused.ts'
import { rewriteError, rewriteParams, rewriteResult } from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const KEYS = 'enclave_signerPublicKey'
const ATTEST = 'enclave_signerAttestation'
const REGISTRY = '--tee-prover-registry-address'
const MOST = 512

const isLong = (bytes: unknown) => Array.isArray(bytes) && bytes.length > MOST
const cut = (bytes: unknown) => (isLong(bytes) ? (bytes as unknown[]).slice(0, MOST) : bytes)

const inOtherWords = (change: (message: string) => string) =>
  rewriteError(PROVE, (error) => ({ ...error, message: change(String(error.message)) }))

/** Another code for what is refused because of some words. */
const otherCode = (words: RegExp, code: number) =>
  rewriteError(ATTEST, (error) =>
    words.test(String(error.message)) && error.code === -32602 ? { ...error, code } : error,
  )

/** Refuses with the general code where some enclave tells no key. */
const generalWhereDown = (): MutantHooks => ({
  async http(request, forward) {
    const answer = await forward(request)
    if (!request.body.includes(PROVE) || !answer.body.includes('-32001')) return answer
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: KEYS, params: [] })
    const keys = await forward({ ...request, body })
    if (!keys.body.includes('"error"')) return answer
    return { ...answer, body: answer.body.replace('-32001', '-32000') }
  },
})

/** Is well only after someone asked by JSON-RPC. */
const latchedByMethod = (): MutantHooks => {
  let isLatched = false
  return {
    async http(request, forward) {
      if (request.method === 'GET') return isLatched ? forward(request) : refused(500)
      const answer = await forward(request)
      isLatched ||= request.body.includes('healthz') && answer.body.includes('"result"')
      return answer
    },
  }
}

/** Mutants of hosts that answer wrongly for some requests, enclaves or failures alone. */
export const HOST_ANSWER_MUTANTS: readonly Mutant[] = [
  served(
    'ERR-08',
    'last-nonce-unmeasured',
    'Measures the first nonce only',
    rewriteParams(ATTEST, ([userData, nonces]) => [
      userData,
      Array.isArray(nonces) ? nonces.map((nonce, at) => (at > 0 ? cut(nonce) : nonce)) : nonces,
    ]),
  ),
  served(
    'HOST-RPC-12',
    'equal-nonces-are-one',
    'Gives a nonce that comes twice to the first only',
    rewriteParams(ATTEST, ([userData, nonces]) => {
      if (!Array.isArray(nonces)) return [userData, nonces]
      const words = nonces.map((nonce) => JSON.stringify(nonce))
      return [userData, nonces.map((nonce, at) => (words.indexOf(words[at]!) < at ? [] : nonce))]
    }),
  ),
  hostMutant(
    'ERR-06',
    'one-nonce-shared',
    'Takes one nonce for all enclaves',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const { length } = cidsOf(flags)
        const share = rewriteParams(ATTEST, ([userData, nonces]) => [
          userData,
          Array.isArray(nonces) && nonces.length === 1 && length > 1
            ? Array.from({ length }, () => nonces[0])
            : nonces,
        ])
        return answering(clock, () => share({} as never))(launch)(flags)
      },
  ),
  hostMutant(
    'HOST-RPC-11',
    'user-data-for-the-first',
    'Binds user data in the first document only',
    () => {
      let served = 0
      return beforeEnclaves((forward) => {
        const isFirst = served === 0
        served += 1
        return (payload) => {
          if (isFirst || payload[0] !== 2) return forward(payload)
          const request = decodeRequest(payload)
          return forward(
            request.kind === 'SignerAttestation'
              ? encodeRequest({ ...request, userData: null })
              : payload,
          )
        }
      })
    },
  ),
  served(
    'HOST-RPC-08',
    'last-signature-of-first',
    'The last of several documents has the signature of the first',
    rewriteResult(ATTEST, (result) => {
      const all = result as number[][]
      const [first] = all
      if (!first || all.length < 2) return result
      return all.map((each, at) =>
        at === all.length - 1 ? [...each.slice(0, -96), ...first.slice(-96)] : each,
      )
    }),
  ),
  served(
    'ERR-07',
    'user-data-not-a-request',
    'Calls long user data no request',
    otherCode(/user_data/, -32600),
  ),
  served(
    'ERR-08',
    'nonce-as-failure',
    'Calls a long nonce a failure',
    otherCode(/nonce exceeds/, -32000),
  ),
  served(
    'ERR-06',
    'count-as-failure',
    'Calls a wrong count a failure',
    otherCode(/nonces length/, -32001),
  ),
  served(
    'ERR-10',
    'general-where-down',
    'Refuses with the general code where an enclave is down',
    generalWhereDown,
  ),
  served(
    'ERR-13',
    'block-in-hex',
    'Names the block that was lost at the timeout in hex',
    inOtherWords((message) =>
      message.includes('timed out')
        ? message.replace(/\d+$/, (block) => `0x${Number(block).toString(16)}`)
        : message,
    ),
  ),
  served(
    'ERR-15',
    'first-line',
    'Says the first line of what an enclave said',
    inOtherWords((message) => message.split('\n')[0]!),
  ),
  served(
    'ERR-15',
    'behind-the-colon',
    'Says what an enclave said behind its last colon',
    inOtherWords((message) =>
      message.includes('timed out') ? message : message.split(': ').at(-1)!,
    ),
  ),
  served(
    'ERR-15',
    'in-lower-case',
    'Says what an enclave said in lower case',
    inOtherWords((message) => (message.includes('timed out') ? message : message.toLowerCase())),
  ),
  served(
    'PIPE-21',
    'number-of-the-request',
    'Puts the L1 number of the request into the answer',
    changedProof((tee, request) => {
      const l1_origin_number = (request as unknown as JsonObject).l1_head_number
      return {
        Tee: {
          aggregate_proposal: { ...tee.aggregate_proposal, l1_origin_number },
          proposals: tee.proposals.map((each) => ({ ...each, l1_origin_number })),
        },
      }
    }),
  ),
  served(
    'PIPE-21',
    'aggregate-at-the-claim',
    'Says that an aggregate ends at the claimed block',
    changedProof((tee, request) => ({
      Tee: {
        ...tee,
        aggregate_proposal: {
          ...tee.aggregate_proposal,
          l2_block_number: (request as unknown as JsonObject).claimed_l2_block_number,
        },
      },
    })),
  ),
  hostMutant('HOST-CFG-10', 'two-cids-at-most', 'Takes two CIDs at most', () =>
    withFlags((flags) => {
      const kept = cidsOf(flags).slice(0, 2)
      return flags.filter((flag) => flag[0] !== '--vsock-cid' || kept.includes(flag))
    }),
  ),
  hostMutant(
    'HOST-HEALTH-06',
    'latched-by-method',
    'GET /healthz is ill until healthz was asked',
    ({ clock }) =>
      (launch) =>
      (flags) =>
        hasFlag(flags, REGISTRY) ? answering(clock, latchedByMethod)(launch)(flags) : launch(flags),
  ),
]
