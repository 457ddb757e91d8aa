import { answering, behind, cidsOf } from '#mocks/host/host-changes'
import { hostMutant } from './host-mutant.ts'
import type { HttpExchange, JsonObject, Mutant, MutantHooks, RpcCall } from './mutant.ts'
import { rewriteError, without } from './rewrites.ts'

const [PROVE, KEYS, ATTEST] = [
  'prover_prove',
  'enclave_signerPublicKey',
  'enclave_signerAttestation',
] as const
const REGISTRY = '--tee-prover-registry-address'
/** isValidSigner(address) of a signer, in calldata. */
const VALIDITY = /d5f505820{24}([0-9a-f]{40})/i
const NOT_VALID = `0x${'0'.repeat(64)}`
/** Words of the first enclave of the scene, which other mutants are about. */
const OF_FIRST = 'no key today'
/** Bytes of user data and of each nonce (LIM-04, LIM-05). */
const MOST = 512

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

/** A host that was started answers so. */
const served = (rule: string, name: string, says: string, apply: Mutant['apply']) =>
  hostMutant(rule, name, says, (context) => answering(context.clock, () => apply(context)))

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

/** Changes the parameters of requests for documents. */
const documentsAskedBy =
  (change: (userData: unknown, nonces: unknown[]) => unknown[]) => (): MutantHooks => ({
    call(asked: RpcCall) {
      const [userData, nonces] = asked.params
      if (asked.method !== ATTEST || !Array.isArray(nonces)) return asked
      return { ...asked, params: change(userData, nonces) }
    },
  })

const cut = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, MOST) : bytes)

/** Whoever was chosen last is chosen again, whoever else is valid. */
const loyal = (): MutantHooks => {
  let chosen: string | undefined
  return {
    response(response, { params }) {
      const [, signer] = VALIDITY.exec(JSON.stringify(params)) ?? []
      if (!signer || BigInt(String(response.result ?? 0)) !== 1n) return response
      if (chosen && chosen !== signer) return { ...response, result: NOT_VALID }
      chosen = signer
      return response
    },
  }
}

/** What the method healthz says is the same at any time. */
const alwaysWell = (): MutantHooks => ({
  response: (response, { method }) =>
    method === 'healthz' ? { ...without(response, 'error'), result: 'well' } : response,
})

/** Who asked often enough is told that all is well. */
const patient = (): MutantHooks => {
  let looks = 0
  return {
    async http(request, forward) {
      const answer = await forward(request)
      looks += Number(request.method === 'GET' && answer.status !== 200)
      return request.method === 'GET' && looks > 5 ? { ...answer, status: 200 } : answer
    },
  }
}

/** Needs the keys of those that are not chosen, too. */
const needsAll = (): MutantHooks => ({
  async http(request, forward) {
    if (!request.body.includes(PROVE)) return forward(request)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: KEYS, params: [] })
    const keys = await forward({ ...request, body })
    if (!keys.body.includes('"error"') || keys.body.includes(OF_FIRST)) return forward(request)
    const { id } = JSON.parse(request.body) as JsonObject
    const error = { code: -32000, message: 'an enclave tells no key' }
    return { ...keys, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
  },
})

/** Changes what is said of a proof that failed. */
const inOtherWords = (change: (message: string) => string) =>
  rewriteError(PROVE, (error) => ({ ...error, message: change(String(error.message)) }))

/** Hosts that are right until something happened, or in all but one corner; nobody had looked there. */
export const OVERLOOKED_HOST_MUTANTS: readonly Mutant[] = [
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
  hostMutant('ROUTE-03', 'loyal', 'Goes on with the enclave that it chose last', ({ clock }) =>
    behind('--l1-rpc-url', clock, loyal),
  ),
  hostMutant(
    'HOST-CFG-17',
    'one-enclave-trusted',
    'Asks no registry about a single enclave',
    () => (launch) => (flags) =>
      launch(cidsOf(flags).length > 1 ? flags : flags.filter(([name]) => name !== REGISTRY)),
  ),
  served('HOST-HEALTH-01', 'healthy-by-patience', 'Is healthy at the sixth look', patient),
  served('HOST-HEALTH-06', 'method-always-well', 'healthz by JSON-RPC is always well', alwaysWell),
  served(
    'ERR-08',
    'middle-nonces-unmeasured',
    'Measures the first and the last nonce',
    documentsAskedBy((userData, nonces) => {
      const isMiddle = (index: number) => index > 0 && index < nonces.length - 1
      return [userData, nonces.map((nonce, index) => (isMiddle(index) ? cut(nonce) : nonce))]
    }),
  ),
  served(
    'ERR-07',
    'user-data-behind-nonces',
    'Measures user data only where no nonces are given',
    documentsAskedBy((userData, nonces) => [cut(userData), nonces]),
  ),
  served('ROUTE-08', 'all-keys-needed', 'Proves only where each enclave tells its key', needsAll),
  served(
    'ERR-15',
    'message-cut',
    'Cuts what an enclave said',
    inOtherWords((message) => message.slice(0, 64)),
  ),
  served(
    'ERR-15',
    'message-in-ascii',
    'Says what an enclave said in ASCII',
    inOtherWords((message) => message.replace(/[^ -~]/g, '?')),
  ),
]
