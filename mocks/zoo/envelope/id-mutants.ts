import { type JsonObject, type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { parseJson } from '../parts/parse-json.ts'
import { rewriteResponse } from '../rewrites.ts'

const envelope = mutantsOf('envelope', 'rpc')

/** Above this a number is kept without its last bit. */
const LARGE = 2 ** 48

/** Equal questions that are under way are one, and so is their answer, id and all. */
const singleFlight = (): MutantHooks => {
  const flying = new Map<string, ReturnType<NonNullable<MutantHooks['http']>>>()
  return {
    async http(request, forward) {
      const [, question] = /"method":("eth_(?:get|call).*)/.exec(request.body) ?? []
      if (!question) return forward(request)
      const key = question.replace(/,?"id":[^,}]*/, '')
      const answer = flying.get(key) ?? forward(request)
      flying.set(key, answer)
      return answer.finally(() => flying.delete(key))
    },
  }
}

/** Mutants that answer with another id than the one that was asked with. */
export const ID_MUTANTS: readonly Mutant[] = [
  envelope(
    'RPC-ENV-09',
    'zero-is-null-on-errors',
    'Answers an error to id 0 with id null',
    rewriteResponse((response) =>
      'error' in response ? { ...response, id: response.id || null } : response,
    ),
  ),
  envelope('RPC-ENV-09', 'no-id-after-a-broken-body', 'Loses one id after a broken body', () => {
    let isBroken = false
    return {
      async http(request, forward) {
        const answer = await forward(request)
        const wasBroken = isBroken
        isBroken = parseJson(request.body) === undefined
        const found = parseJson(answer.body)
        if (!wasBroken || isBroken || !found || Array.isArray(found)) return answer
        return { ...answer, body: JSON.stringify({ ...Object(found), id: null }) }
      },
    }
  }),
  envelope(
    'RPC-ENV-09',
    'sign-lost',
    'Answers a negative id without its sign',
    rewriteResponse((response) =>
      typeof response.id === 'number' ? { ...response, id: Math.abs(response.id) } : response,
    ),
  ),
  envelope('RPC-ENV-07', 'even-ids', 'Answers a large id without its last bit', () => ({
    response(response, { id }) {
      return typeof id === 'number' && id > LARGE ? { ...response, id: id - (id % 2) } : response
    },
  })),
  envelope(
    'RPC-ENV-09',
    'failed-call-without-id',
    'The error of a call that fails while it runs has no id',
    rewriteResponse((response, { method }) => {
      const isRun = method === 'eth_call' && 'error' in response
      if (!isRun || (response.error as JsonObject).code === -32602) return response
      return { ...response, id: null }
    }),
  ),
  envelope(
    'RPC-ENV-09',
    'single-flight',
    'Of two equal requests under way the second gets the id of the first',
    singleFlight,
  ),
  envelope(
    'RPC-ENV-09',
    'fraction-lost',
    'Answers an id with a fraction without it',
    rewriteResponse((response) =>
      typeof response.id === 'number' ? { ...response, id: Math.trunc(response.id) } : response,
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'letters-lost',
    'Answers an id with letters beyond ASCII by question marks',
    rewriteResponse((response) =>
      typeof response.id === 'string'
        ? { ...response, id: response.id.replace(/[^ -~]/gu, '?') }
        : response,
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'escapes-doubled',
    'Answers an id with quotes or a backslash with one more',
    rewriteResponse((response) =>
      typeof response.id === 'string'
        ? { ...response, id: response.id.replace(/["\\]/g, '\\$&') }
        : response,
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'empty-is-null',
    'Answers an id without letters with null',
    rewriteResponse((response) => (response.id === '' ? { ...response, id: null } : response)),
  ),
  envelope(
    'RPC-ENV-09',
    'unknown-method-without-id',
    'The error of an unknown method has no id',
    rewriteResponse((response) =>
      Object(response.error).code === -32601 ? { ...response, id: null } : response,
    ),
  ),
  envelope(
    'RPC-ENV-09',
    'second-as-first',
    'Answers the second of all calls by the id of the first',
    () => {
      const ids: unknown[] = []
      return {
        response(response) {
          ids.push(response.id)
          return ids.length === 2 ? { ...response, id: ids[0] } : response
        },
      }
    },
  ),
]
