import type { JsonObject, Mutant } from '../mutant.ts'
import { mutantsOf } from '../mutant.ts'
import { hasCapitalDigits } from '../parts/has-capital-digits.ts'
import { parseMembers } from '../parts/parse-json.ts'
import { refusing } from '../parts/refusing.ts'
import { answerInstead } from '../rewrites.ts'

const prover = mutantsOf('prover', 'prover')

const PROVE = 'prover_prove'
const ATTEST = 'enclave_signerAttestation'
const INVALID = { error: { code: -32602, message: 'Invalid params' } }

const proofs = (rule: string, name: string, says: string, isRefused: (of: JsonObject) => boolean) =>
  prover(
    rule,
    name,
    says,
    answerInstead(PROVE, ([request]) => (isRefused(Object(request)) ? INVALID : undefined)),
  )

/** Mutants that refuse or misread a request for how it is written. */
export const REQUEST_FORM_MUTANTS: readonly Mutant[] = [
  proofs('PRV-REQ-01', 'ordered-members', 'Refuses members in another order', (request) => {
    const names = Object.keys(request)
    return names.includes('proposer') && names.indexOf('proposer') < names.indexOf('l1_head')
  }),
  proofs('PRV-REQ-12', 'claim-in-lower-case', 'Refuses a claim with capital digits', (request) =>
    hasCapitalDigits(request.claimed_l2_output_root),
  ),
  proofs('PRV-REQ-03', 'head-in-lower-case', 'Refuses an L1 head with capital digits', (request) =>
    hasCapitalDigits(request.l1_head),
  ),
  proofs('PRV-REQ-10', 'zeros-refused', 'Refuses an image hash of zeros', ({ image_hash }) =>
    /^0x0{64}$/.test(String(image_hash)),
  ),
  prover('ERR-14', 'failed-before', 'Gives another code to a request that failed before', () => {
    const failed = new Set<string>()
    return {
      response(response, { method, params }) {
        if (method !== PROVE || !('error' in response)) return response
        const key = JSON.stringify(params)
        if (failed.has(key))
          return { ...response, error: { code: -32603, message: 'failed before' } }
        failed.add(key)
        return response
      },
    }
  }),
  prover('PRV-REQ-02', 'twice-refused', 'Proves nothing for the second time', () => {
    const proven = new Set<string>()
    return {
      call(asked) {
        const key = JSON.stringify(asked.params)
        if (asked.method !== PROVE || !proven.has(key)) return asked
        const error = { code: -32000, message: 'was proved before' }
        return { reply: { jsonrpc: '2.0', id: asked.id, error } }
      },
      response(response, { method, params }) {
        if (method === PROVE && 'result' in response) proven.add(JSON.stringify(params))
        return response
      },
    }
  }),
  prover(
    'PRV-REQ-01',
    'by-place-only',
    'Takes no request by name',
    refusing((request) => {
      const { method, params } = parseMembers(request.body)
      return method === PROVE && !Array.isArray(params)
    }),
  ),
  prover('HOST-RPC-06', 'names-ignored', 'Does not read parameters of a document by name', () => ({
    http(request, forward) {
      const body = parseMembers(request.body)
      const isNamed = body.method === ATTEST && !Array.isArray(body.params)
      return forward(
        isNamed ? { ...request, body: JSON.stringify({ ...body, params: [] }) } : request,
      )
    },
  })),
]
