import type { Forward, HttpExchange, JsonObject, Mutant, MutantHooks } from '../mutant.ts'
import { without } from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const KEYS = 'enclave_signerPublicKey'
const ATTEST = 'enclave_signerAttestation'

/** What a host has seen so far. */
interface Past {
  /** Proofs that were answered, and that are under way. */
  proofs: number
  proving: number
  errors: number
  /** Requests of the mutated method, this one included. */
  asked: number
  underWay: number
}

/** Answers of one method are changed where the past is such. */
const since =
  (
    method: string,
    isNow: (past: Past) => boolean,
    change: (response: JsonObject) => JsonObject,
  ): (() => MutantHooks) =>
  () => {
    const past: Past = { proofs: 0, proving: 0, errors: 0, asked: 0, underWay: 0 }
    const asks = (name: string, { body }: HttpExchange) => Number(body.includes(name))
    return {
      async http(request, forward) {
        past.underWay += 1
        past.proving += asks(PROVE, request)
        past.asked += asks(method, request)
        const isChanged = asks(method, request) > 0 && isNow(past)
        try {
          const answer = await forward(request)
          past.errors += Number(answer.body.includes('"error"'))
          past.proofs += asks(PROVE, request)
          if (!isChanged) return answer
          return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) }
        } finally {
          past.underWay -= 1
          past.proving -= asks(PROVE, request)
        }
      },
    }
  }

const turned = (response: JsonObject): JsonObject =>
  Array.isArray(response.result)
    ? { ...response, result: [...response.result].reverse() }
    : response

const busy = (response: JsonObject): JsonObject => ({
  ...without(response, 'result'),
  error: { code: -32000, message: 'a proof is under way' },
})

/** Two requests are under way at once: documents come in the order of completion. */
const asTheyCome = () => {
  let underWay = 0
  return {
    async http(request: HttpExchange, forward: Forward) {
      underWay += 1
      const isAlone = underWay === 1
      try {
        const answer = await forward(request)
        if (isAlone || !request.body.includes(ATTEST)) return answer
        const response = JSON.parse(answer.body) as JsonObject
        const { result } = response
        const turned = Array.isArray(result) ? [...result].reverse() : result
        return { ...answer, body: JSON.stringify({ ...response, result: turned }) }
      } finally {
        underWay -= 1
      }
    },
  }
}

/** Mutants that give keys, documents or nonces in another order, or none, once or while something happens. */
export const HOST_ORDER_MUTANTS: readonly Mutant[] = [
  served(
    'HOST-RPC-04',
    'keys-turned-after-a-proof',
    'Turns the order of keys once it has proved',
    since(KEYS, ({ proofs }) => proofs > 0, turned),
  ),
  served(
    'HOST-RPC-04',
    'keys-turned-while-proving',
    'Gives keys in another order while it proves',
    since(KEYS, ({ proving }) => proving > 0, turned),
  ),
  served(
    'HOST-RPC-04',
    'each-fifth-keys-turned',
    'Gives keys in another order each fifth time',
    since(KEYS, ({ asked }) => asked % 5 === 0, turned),
  ),
  served(
    'HOST-RPC-04',
    'keys-as-they-come',
    'Gives keys in the order they came while another request is under way',
    since(KEYS, ({ underWay }) => underWay > 1, turned),
  ),
  served(
    'HOST-RPC-04',
    'keys-turned-after-an-error',
    'Gives keys in another order once a request has failed',
    since(KEYS, ({ errors }) => errors > 0, turned),
  ),
  served(
    'HOST-RPC-08',
    'documents-turned-after-a-proof',
    'Turns the order of documents once it has proved',
    since(ATTEST, ({ proofs }) => proofs > 0, turned),
  ),
  served(
    'HOST-RPC-08',
    'documents-turned-while-proving',
    'Gives documents in another order while it proves',
    since(ATTEST, ({ proving }) => proving > 0, turned),
  ),
  served(
    'HOST-RPC-02',
    'no-keys-while-proving',
    'Tells no key while it proves',
    since(KEYS, ({ proving }) => proving > 0, busy),
  ),
  served(
    'HOST-START-06',
    'no-proof-after-a-failure',
    'Proves nothing any more once a proof has failed',
    since(PROVE, ({ errors }) => errors > 0, busy),
  ),
  served('HOST-RPC-12', 'nonces-turned-round', 'Hands nonces out from the last', () => ({
    call(asked) {
      const [userData, nonces] = asked.params
      if (asked.method !== ATTEST || !Array.isArray(nonces)) return asked
      return { ...asked, params: [userData, [...nonces].reverse()] }
    },
  })),
  served(
    'HOST-RPC-08',
    'documents-as-they-come',
    'Gives documents in the order they came while another request is under way',
    asTheyCome,
  ),
]
