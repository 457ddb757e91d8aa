import {
  beforeEnclaves,
  behind,
  cidsOf,
  hasFlag,
  refusing,
  withFlags,
  withoutFlag,
} from '#mocks/host/host-changes'
import { decodeRequest, encodeRequest } from '#suites/gate/conformance/spec/enclave-payloads'
import { hostMutant } from '../host-mutant.ts'
import type {
  HttpAnswer,
  JsonObject,
  Mutant,
  MutantContext,
  MutantHooks,
  RpcCall,
} from '../mutant.ts'
import {
  answerInstead,
  rewriteError,
  rewriteResponse,
  rewriteResult,
  without,
} from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const WITNESS = '--experimental-witness-endpoint'
/** Milliseconds. */
const SHARED_FOR = 100
const IS_VALID_SIGNER = '0xd5f50582'
const TRUE = `0x${'0'.repeat(63)}1`

/** Changes what GET /healthz answers; it counts the answers that were 200 and those that were not, this one included. */
const health = (
  rule: string,
  name: string,
  says: string,
  change: (answer: HttpAnswer, healthy: number, ill: number) => number,
) =>
  served(rule, name, says, () => {
    let [healthy, ill] = [0, 0]
    return {
      async http(request, forward) {
        const answer = await forward(request)
        if (request.method !== 'GET') return answer
        if (answer.status === 200) healthy += 1
        else ill += 1
        return { ...answer, status: change(answer, healthy, ill) }
      },
    }
  })

/** Proves what it should refuse. */
const letsThrough = (
  rule: string,
  name: string,
  says: string,
  isMeant: (error: JsonObject) => boolean,
) =>
  served(
    rule,
    name,
    says,
    rewriteResponse((response, { method }) => {
      const error = response.error as JsonObject | undefined
      if (method !== PROVE || !error || !isMeant(error)) return response
      return { ...without(response, 'error'), result: { Tee: { proposals: [] } } }
    }),
  )

/** Changes what L1 answers about signers. */
const registry = (rule: string, name: string, says: string, makeHooks: () => MutantHooks) =>
  hostMutant(rule, name, says, ({ clock }) => behind('--l1-rpc-url', clock, makeHooks))

const isValidityCall = (call: RpcCall) =>
  call.method === 'eth_call' && JSON.stringify(call.params).includes(IS_VALID_SIGNER)

/** Remembers what the registry said first. */
const remembering = (): MutantHooks => {
  const answers = new Map<string, unknown>()
  return {
    call(call) {
      const known = answers.get(JSON.stringify(call.params))
      return known ? { reply: { jsonrpc: '2.0', id: call.id, result: known } } : call
    },
    response(response, call) {
      if (isValidityCall(call) && 'result' in response) {
        answers.set(JSON.stringify(call.params), response.result)
      }
      return response
    },
  }
}

/** Answers an enclave call with what it has when an enclave fails. */
const partial = (rule: string, name: string, says: string) =>
  served(
    rule,
    name,
    says,
    rewriteResponse((response, { method }) =>
      method.startsWith('enclave_') && 'error' in response
        ? { ...without(response, 'error'), result: [[4], null] }
        : response,
    ),
  )

/** Keeps the key of an enclave so long; milliseconds. */
const keepingKeys =
  (milliseconds: number) =>
  ({ clock }: MutantContext) =>
    beforeEnclaves((forward) => {
      let key: Promise<Uint8Array | undefined> | undefined
      let fetched = 0
      return (payload) => {
        if (payload[0] !== 1) return forward(payload)
        if (!key || clock.now() - fetched > milliseconds) {
          key = forward(payload)
          fetched = clock.now()
        }
        return key
      }
    })

const reversed = withFlags((flags) => {
  const cids = [...cidsOf(flags)].reverse()
  return flags.map((each) => (each[0] === '--vsock-cid' ? cids.shift()! : each))
})

/** Mutants of how a prover host routes, gates and proves. */
export const HOST_MUTANTS: readonly Mutant[] = [
  health('HOST-HEALTH-01', 'healthy-from-the-start', 'Is healthy from the start', () => 200),
  health('HOST-HEALTH-02', 'all-signers-demanded', 'Demands that all signers are valid', () => 500),
  health(
    'HOST-HEALTH-03',
    'unhealthy-on-error',
    'Forgets its health when L1 fails',
    ({ status }, healthy) => (healthy === 2 ? 500 : status),
  ),
  health(
    'HOST-HEALTH-04',
    'unhealthy-again',
    'Forgets its health with its signer',
    ({ status }, healthy) => (healthy === 3 ? 500 : status),
  ),
  health('HOST-HEALTH-05', 'probes-enclaves', 'Is unhealthy with its enclave down', () => 500),
  health(
    'HOST-HEALTH-08',
    'error-confirms',
    'Takes an error for a confirmation',
    // The scene looks eight times before the registry is down.
    ({ status }, _, ill) => (ill === 9 ? 200 : status),
  ),
  health('HOST-CFG-16', 'gate-not-set', 'Has no gated health', () => 200),
  letsThrough(
    'HOST-HEALTH-09',
    'latched-for-proofs',
    'Lets requests through once healthy',
    () => true,
  ),
  letsThrough('HOST-CFG-17', 'no-validation', 'Validates no signer', () => true),
  letsThrough('SAFE-09', 'warns-only', 'Warns and goes on', () => true),
  letsThrough('ROUTE-10', 'first-as-fallback', 'Falls back to the first enclave', () => true),
  letsThrough('SAFE-10', 'error-is-valid', 'Takes an RPC error for valid', (error) =>
    /L1|RPC|registry/.test(String(error.message)),
  ),
  served(
    'ERR-10',
    'general-code',
    'Refuses with the general code',
    rewriteError(PROVE, (error) => ({ ...error, code: -32000 })),
  ),
  hostMutant('ROUTE-03', 'last-first', 'Tries the last enclave first', () => reversed),
  hostMutant('ROUTE-04', 'key-cached', 'Fetches each key once', keepingKeys(Infinity)),
  hostMutant(
    'ROUTE-04',
    'key-shared',
    'Shares a key among requests of one moment',
    keepingKeys(SHARED_FOR),
  ),
  served('ROUTE-05', 'key-failure-fatal', 'Fails when the first enclave does not answer', () => {
    let count = 0
    return {
      response(response, { method }) {
        if (method !== PROVE || ++count > 1) return response
        const error = { code: -32001, message: 'no key today' }
        return { ...without(response, 'result'), error }
      },
    }
  }),
  registry('ROUTE-06', 'validity-cached', 'Asks the registry once', remembering),
  registry('ROUTE-07', 'prefix-hashed', 'Hashes the prefix byte too', () => ({
    call(call) {
      if (!isValidityCall(call)) return call
      const text = JSON.stringify(call.params)
      const [, signer] = /d5f505820{24}([0-9a-f]{40})/i.exec(text) ?? []
      const wrong = [...signer!].reverse().join('')
      return { ...call, params: JSON.parse(text.replace(signer!, wrong)) }
    },
  })),
  registry('ROUTE-08', 'first-whatever', 'Sends every request to the first', () => ({
    call: (call) =>
      isValidityCall(call) ? { reply: { jsonrpc: '2.0', id: call.id, result: TRUE } } : call,
  })),
  hostMutant(
    'ROUTE-09',
    'skips-silently',
    'Skips without a word',
    () => (launch) => async (flags) => {
      const host = await launch(flags)
      return { ...host, output: () => '' }
    },
  ),
  served('ROUTE-11', 'signer-demanded', 'Refuses without a registry', (context) =>
    answerInstead(PROVE, () => ({ error: { code: -32001, message: 'no registry' } }))(context),
  ),
  registry('ROT-04', 'choice-remembered', 'Remembers which enclave it chose', remembering),
  served(
    'HOST-RPC-04',
    'order-of-completion',
    'Gives keys in the order they came',
    rewriteResult('enclave_signerPublicKey', (result) => [...(result as unknown[])].reverse()),
  ),
  partial('HOST-RPC-09', 'unreachable-left-out', 'Leaves out whom it cannot reach'),
  partial('HOST-RPC-10', 'failed-left-out', 'Leaves out whoever fails'),
  served('ERR-09', 'asks-first', 'Asks the enclaves before it checks', ({ clock: _ }) => ({
    async http(request, forward) {
      if (request.body.includes('enclave_signerAttestation')) {
        const body = { jsonrpc: '2.0', id: 1, method: 'enclave_signerPublicKey', params: [] }
        await forward({ ...request, body: JSON.stringify(body) })
      }
      return forward(request)
    },
  })),
  hostMutant('HOST-RPC-14', 'no-timeout', 'Sets no timeout', () => withoutFlag('--proof-timeout')),
  served(
    'ERR-12',
    'timeout-code',
    'Answers -32001 at the timeout',
    rewriteError(PROVE, (error) => ({ ...error, code: -32001 })),
  ),
  served(
    'ERR-13',
    'bare-timeout',
    'Says timeout and no more',
    rewriteError(PROVE, (error) => ({ ...error, message: 'timeout' })),
  ),
  served(
    'ERR-15',
    'message-wrapped',
    'Wraps what the enclave said',
    rewriteError(PROVE, (error) => ({ ...error, message: `proving failed: ${error.message}` })),
  ),
  served(
    'PIPE-21',
    'v-rewritten',
    'Makes v 27 or 28',
    rewriteResult(PROVE, (result) =>
      JSON.parse(JSON.stringify(result).replace(/(0x[0-9a-f]{128})0([01])/g, '$11$2')),
    ),
  ),
  served(
    'PIPE-01',
    'l1-from-the-image',
    'Asks L1 nothing',
    answerInstead(PROVE, () => ({ result: {} })),
  ),
  served(
    'PIPE-02',
    'no-blobs',
    'Looks for no batch in blobs',
    answerInstead(PROVE, () => ({ result: {} })),
  ),
  served(
    'PIPE-03',
    'l2-not-asked',
    'Asks L2 nothing',
    answerInstead(PROVE, () => ({ result: {} })),
  ),
  hostMutant('HOST-CFG-19', 'witness-endpoint-always', 'Uses the witness endpoint always', () =>
    withFlags((flags) => [...flags.filter(([flag]) => flag !== WITNESS), [WITNESS, '']]),
  ),
  hostMutant('HOST-CFG-18', 'no-witness-endpoint', 'Does not start with the switch', () =>
    refusing((flags) => hasFlag(flags, WITNESS)),
  ),
  hostMutant('PIPE-04', 'keyed-by-number', 'Keys preimages by number', () =>
    beforeEnclaves((forward) => (payload) => {
      const request = decodeRequest(payload)
      if (request.kind !== 'Prove') return forward(payload)
      const preimages = request.preimages.map((preimage, index) => {
        const data = new Uint8Array(31)
        data[30] = index & 255
        return preimage.key.type === 'local'
          ? preimage
          : { ...preimage, key: { ...preimage.key, data } }
      })
      return forward(encodeRequest({ kind: 'Prove', preimages }))
    }),
  ),
  hostMutant('PIPE-06', 'in-two-frames', 'Sends the pairs in two frames', () =>
    beforeEnclaves((forward) => async (payload) => {
      const request = decodeRequest(payload)
      if (request.kind !== 'Prove') return forward(payload)
      const half = request.preimages.length >> 1
      await forward(encodeRequest({ kind: 'Prove', preimages: request.preimages.slice(0, half) }))
      return forward(encodeRequest({ kind: 'Prove', preimages: request.preimages.slice(half) }))
    }),
  ),
]
