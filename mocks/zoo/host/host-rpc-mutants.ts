import {
  type HttpExchange,
  type JsonObject,
  type Mutant,
  type MutantHooks,
  mutantsOf,
} from '../mutant.ts'
import { firstPiece } from '../parts/first-piece.ts'
import { parseJson } from '../parts/parse-json.ts'
import { refused } from '../parts/refused.ts'
import { rewriteResult } from '../rewrites.ts'

const prover = mutantsOf('prover', 'prover')

const JSON_TYPE = { 'content-type': 'application/json' }

const demandsParams = (method: string): Mutant['apply'] => {
  return () => ({
    async http(request, forward) {
      if (!request.body.includes(method) || request.body.includes('"params"'))
        return forward(request)
      const { id } = JSON.parse(request.body) as JsonObject
      const error = { code: -32602, message: 'params are missing' }
      return {
        status: 200,
        headers: JSON_TYPE,
        body: JSON.stringify({ jsonrpc: '2.0', id, error }),
      }
    },
  })
}

const PROVE = 'prover_prove'

/** Refuses some requests by their HTTP status. */
const refusing =
  (status: number, isRefused: (request: HttpExchange) => boolean) => (): MutantHooks => ({
    http: async (request, forward) => (isRefused(request) ? refused(status) : forward(request)),
  })

/** One call of a batch that fails makes all of them fail. */
const failsTogether = (): MutantHooks => ({
  async http(request, forward) {
    const answer = await forward(request)
    const answers = parseJson(answer.body)
    const failed = Array.isArray(answers) && answers.find((each) => Object(each).error)
    if (!failed) return answer
    const { error } = failed as JsonObject
    const all = (answers as JsonObject[]).map(({ id }) => ({ jsonrpc: '2.0', id, error }))
    return { ...answer, body: JSON.stringify(all) }
  },
})

/** Ids that are no numbers come back as null. */
const numbersAsIds = (): MutantHooks => ({
  response: (response) => (typeof response.id === 'string' ? { ...response, id: null } : response),
})

/** An address of letters in both cases is none. */
const lowerCaseOnly = (): MutantHooks => ({
  call(asked) {
    const { proposer } = Object(asked.params[0]) as JsonObject
    if (asked.method !== PROVE || !/[A-F]/.test(String(proposer))) return asked
    const error = { code: -32602, message: 'proposer is no address' }
    return { reply: { jsonrpc: '2.0', id: asked.id, error } }
  },
})

/** Mutants that read one way to write a request to a host and no other, or answer otherwise now and then. */
export const HOST_RPC_MUTANTS: readonly Mutant[] = [
  prover(
    'HOST-HEALTH-07',
    'health-demands-params',
    'Refuses healthz without params',
    demandsParams('healthz'),
  ),
  prover(
    'HOST-RPC-02',
    'keys-demand-params',
    'Refuses enclave_signerPublicKey without params',
    demandsParams('enclave_signerPublicKey'),
  ),
  prover(
    'HOST-RPC-15',
    'batch-fails-together',
    'Answers all calls of a batch by the error of one',
    failsTogether,
  ),
  prover(
    'HOST-RPC-15',
    'indented-refused',
    'Refuses a body with line breaks',
    refusing(400, ({ body }) => body.includes('\n')),
  ),
  prover(
    'HOST-RPC-15',
    'charset-refused',
    'Refuses a content type with a charset',
    refusing(415, ({ headers }) => Boolean(headers['content-type']?.includes('charset'))),
  ),
  prover('HOST-RPC-15', 'numbers-as-ids', 'Answers no id that is text', numbersAsIds),
  prover('PRV-REQ-08', 'lower-case-only', 'Takes no proposer in both cases', lowerCaseOnly),
  prover('HOST-RPC-02', 'keys-come-and-go', 'Another key now and then', (context) => {
    let met = 0
    return rewriteResult('enclave_signerPublicKey', (result) => {
      met += 1
      const [first, ...rest] = result as number[][]
      return met % 5 === 0 ? [first!.with(-1, first!.at(-1)! ^ 1), ...rest] : result
    })(context)
  }),
  prover('HOST-RPC-15', 'first-piece', 'Parses the first piece of a body', firstPiece),
]
