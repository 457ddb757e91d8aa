import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { parseMembers } from '../parts/parse-json.ts'
import { rewriteResponse, without } from '../rewrites.ts'

const envelope = mutantsOf('envelope', 'rpc')
const call = mutantsOf('call', 'rpc')

/** Tells some errors as failures of the server. */
const failing =
  (fits: (error: JsonObject) => boolean): Mutant['apply'] =>
  () => ({
    async http(request, forward) {
      const reply = await forward(request)
      const { error } = parseMembers(reply.body)
      return error && fits(error as JsonObject) ? { ...reply, status: 500 } : reply
    },
  })

/** What the caller did wrong is a failure of the server. */
const serverFailure: Mutant['apply'] = () => ({
  async http(request, forward) {
    const answer = await forward(request)
    return answer.body.includes('-32602') ? { ...answer, status: 500 } : answer
  },
})

const SOMETIMES = 30

/** Mutants of the members of an answer, and of its HTTP status. */
export const ANSWER_FORM_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-11',
    'no-method-500',
    'Answers an unknown method with HTTP 500',
    failing(({ code }) => code === -32601),
  ),
  call(
    'ERR-01',
    'revert-500',
    'Answers a revert with HTTP 500',
    failing(({ message }) => String(message).startsWith('execution reverted')),
  ),
  envelope(
    'RPC-ENV-11',
    'wrong-params-500',
    'Answers wrong parameters with HTTP 500',
    serverFailure,
  ),
  envelope('RPC-ENV-08', 'rarely-no-version', 'Leaves jsonrpc out now and then', () => {
    let met = 0
    return {
      response({ jsonrpc, ...rest }) {
        return ++met % SOMETIMES === 0 ? rest : { jsonrpc, ...rest }
      },
    }
  }),
  envelope(
    'RPC-ENV-10',
    'null-left-out-elsewhere',
    'Of an unknown transaction there is no result at all',
    rewriteResponse((response, { method }) =>
      method.startsWith('eth_getTransaction') && response.result === null
        ? without(response, 'result')
        : response,
    ),
  ),
]
