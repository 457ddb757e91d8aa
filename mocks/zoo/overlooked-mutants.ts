import { answering } from '#mocks/host/host-changes'
import { hostMutant } from './host-mutant.ts'
import {
  type Forward,
  type HttpAnswer,
  type HttpExchange,
  type JsonObject,
  type Mutant,
  type MutantHooks,
  mutantsOf,
  type RpcCall,
} from './mutant.ts'
import { rewriteError, rewriteFirst, without } from './rewrites.ts'

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

/** Not healthy while it proves. */
const illWhileProving = () => {
  let proving = 0
  return {
    async http(request: HttpExchange, forward: Forward) {
      if (request.method === 'GET' && proving > 0) return refused(503)
      const isProof = request.body.includes('prover_prove')
      proving += Number(isProof)
      try {
        return await forward(request)
      } finally {
        proving -= Number(isProof)
      }
    },
  }
}

const [envelope, call, selectors, stream, codes, prover] = [
  ...[mutantsOf('envelope', 'rpc'), mutantsOf('call', 'rpc'), mutantsOf('selectors', 'rpc')],
  ...[mutantsOf('stream', 'ws'), mutantsOf('builder-codes', 'api'), mutantsOf('prover', 'prover')],
] as const

/** Calls of less gas, in gas, are taken for calls without a limit. */
const SMALL_GAS = 30_000
const ATTEST = 'enclave_signerAttestation'
const JSON_TYPE = { 'content-type': 'application/json' }

const isNumber = (value: unknown) => /^0x[0-9a-f]+$/.test(String(value))

/** Keeps what was answered to the same parameters first, and never asks again. */
const kept =
  (method: string, isKept: (result: unknown, params: readonly unknown[]) => boolean) => () => {
    const answers = new Map<string, unknown>()
    return {
      call(asked: RpcCall) {
        const key = JSON.stringify(asked.params)
        if (asked.method !== method || !answers.has(key)) return asked
        return { reply: { jsonrpc: '2.0', id: asked.id, result: answers.get(key) } }
      },
      response(response: JsonObject, { method: asked, params }: RpcCall) {
        const { result } = response
        if (asked === method && isKept(result, params)) answers.set(JSON.stringify(params), result)
        return response
      },
    }
  }

const refused = (status: number): HttpAnswer => ({
  status,
  headers: JSON_TYPE,
  body: '{"error":"refused"}',
})

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

/** A host that was started answers so. */
const served = (rule: string, name: string, says: string, hooks: () => MutantHooks) =>
  hostMutant(rule, name, says, ({ clock }) => answering(clock, hooks))

/** Mutants that somebody planted who had not read the cases, and that none of them noticed. */
export const OVERLOOKED_MUTANTS: readonly Mutant[] = [
  envelope('RPC-ENV-10', 'batch-fails-whole', 'One error in a batch is the error of all', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      if (!request.body.startsWith('[') || !answer.body.startsWith('[')) return answer
      const answers = JSON.parse(answer.body) as JsonObject[]
      const failed = answers.find((each) => 'error' in each)
      if (!failed) return answer
      const all = answers.map((each) => ({ ...without(each, 'result'), error: failed.error }))
      return { ...answer, body: JSON.stringify(all) }
    },
  })),
  call(
    'ERR-03',
    'revert-bare-at-number',
    'Leaves the revert bytes out where the block is named by its number',
    rewriteError('eth_call', (error, { params }) =>
      isNumber(params[1]) ? without(error, 'data') : error,
    ),
  ),
  call(
    'RPC-CALL-09',
    'small-gas-ignored',
    'Takes a small gas limit for none',
    rewriteFirst('eth_call', (given) =>
      Number(given.gas) < SMALL_GAS ? without(given, 'gas') : given,
    ),
  ),
  call(
    'RPC-CALL-14',
    'data-in-capitals',
    'Takes data in capitals for none',
    rewriteFirst('eth_call', (given) =>
      /^0x.*[A-F]/.test(String(given.data)) ? without(given, 'data') : given,
    ),
  ),
  selectors(
    'RPC-SEL-01',
    'height-kept',
    'Keeps blocks by their height, over a reorganization too',
    kept('eth_getBlockByNumber', (block, [height]) => isNumber(height) && Object(block).hash),
  ),
  selectors(
    'RPC-LOG-10',
    'logs-of-height-kept',
    'Keeps the logs of a height, over a reorganization too',
    kept('eth_getLogs', (_, [filter]) => isNumber(Object(filter).toBlock)),
  ),
  stream('RPC-LOG-13', 'removed-emptied', 'A log that is taken out has no data', () => ({
    message(message) {
      const params = Object(message.params) as JsonObject
      const log = Object(params.result) as JsonObject
      if (log.removed !== true) return { message, delay: 0 }
      return {
        message: { ...message, params: { ...params, result: { ...log, data: '0x' } } },
        delay: 0,
      }
    },
  })),
  codes('BC-04', 'indented-refused', 'Refuses a body with spaces', () => ({
    http: async (request, forward) => (/\s/.test(request.body) ? refused(400) : forward(request)),
  })),
  codes('BC-04', 'charset-refused', 'Refuses a content type with a charset', () => ({
    http: async (request, forward) =>
      request.headers['content-type']?.includes('charset') ? refused(415) : forward(request),
  })),
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
  served(
    'HOST-HEALTH-05',
    'ill-while-proving',
    'Is not healthy while a proof is under way',
    illWhileProving,
  ),
]
