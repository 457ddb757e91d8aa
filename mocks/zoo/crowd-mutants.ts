import type { HttpAnswer, JsonObject, MutantHooks } from './mutant.ts'
import { type Mutant, type MutantContext, mutantsOf, type RpcCall } from './mutant.ts'
import { rewriteParams, rewriteResult } from './rewrites.ts'

/** Milliseconds that an answer waits for another one to be exchanged with. */
const PATIENCE = 20
/** One answer of so many is held back. */
const RARE = 5

/** Pairs each so many of what goes out with the next one, and lets `exchange` mix the two. */
function pairs<T>(
  { clock }: MutantContext,
  exchange: (one: T, other: T) => readonly [T, T],
): (own: T) => T | Promise<T> {
  let met = 0
  let waiting: { own: T; go: (mixed: T) => void } | undefined
  return (own) => {
    const before = waiting
    if (before) {
      waiting = undefined
      const [first, second] = exchange(before.own, own)
      before.go(first)
      return second
    }
    met += 1
    if (met % RARE !== 0) return own
    return new Promise((resolve) => {
      const mine = { own, go: resolve }
      waiting = mine
      clock.after(PATIENCE, () => {
        if (waiting !== mine) return
        waiting = undefined
        resolve(own)
      })
    })
  }
}

/** Two results of one method that are under way at once go each to the other client. */
const exchanged =
  (method: string): Mutant['apply'] =>
  (context): MutantHooks => {
    const mix = pairs<JsonObject>(context, (one, other) => [
      { ...one, result: other.result },
      { ...other, result: one.result },
    ])
    return {
      response: (response: JsonObject, call: RpcCall) =>
        call.method === method && 'result' in response ? mix(response) : response,
    }
  }

/** Likewise, of registrations. */
const recordsExchanged: Mutant['apply'] = (context) => {
  const mix = pairs<HttpAnswer>(context, (one, other) => [other, one])
  return {
    async http(request, forward) {
      const answer = await forward(request)
      return answer.status < 300 ? mix(answer) : answer
    },
  }
}

const ATTESTATION = 'enclave_signerAttestation'

/** A document is made once for the same parameters. */
const keptDocuments: Mutant['apply'] = () => {
  const kept = new Map<string, unknown>()
  return {
    response(response, { method, params }) {
      if (method !== ATTESTATION || !('result' in response)) return response
      const key = JSON.stringify(params)
      if (!kept.has(key)) kept.set(key, response.result)
      return { ...response, result: kept.get(key) }
    },
  }
}

const cut = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, 256) : bytes)

/** The second of two proofs under way gets the one that was made before. */
const proofOfAnother: Mutant['apply'] = ({ underWay = () => 1 }) => {
  let last: unknown
  return rewriteResult('prover_prove', (result) => {
    const before = last
    last = result
    return underWay() > 1 && before !== undefined ? before : result
  })({} as MutantContext)
}

const numberOf = (text: unknown) =>
  /^0x[0-9a-f]+$/i.test(String(text)) ? BigInt(String(text)) : undefined

/** Past the head, the newest block. */
const clippedToHead: Mutant['apply'] = (context) =>
  rewriteResult('eth_getBlockByNumber', (result, { params }, { ask }) =>
    result === null && numberOf(params[0]) !== undefined
      ? ask('eth_getBlockByNumber', ['latest', params[1]])
      : result,
  )(context)

/** Mutants that are right while nobody else asks, or while nobody asks twice. */
export const CROWD_MUTANTS: readonly Mutant[] = [
  mutantsOf('block', 'rpc')(
    'RPC-SEL-01',
    'exchanged',
    'Exchanges two blocks under way now and then',
    exchanged('eth_getBlockByNumber'),
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-FLT-07',
    'exchanged',
    'Exchanges two lists of logs under way now and then',
    exchanged('eth_getLogs'),
  ),
  mutantsOf('call', 'rpc')(
    'RPC-CALL-03',
    'exchanged',
    'Exchanges what two calls under way return, now and then',
    exchanged('eth_call'),
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-32',
    'exchanged',
    'Exchanges two simulations under way now and then',
    exchanged('eth_simulateV1'),
  ),
  mutantsOf('storage', 'rpc')(
    'RPC-STOR-02',
    'exchanged',
    'Exchanges two values under way now and then',
    exchanged('eth_getStorageAt'),
  ),
  mutantsOf('builder-codes', 'api')(
    'BC-07',
    'exchanged',
    'Exchanges two registrations under way now and then',
    recordsExchanged,
  ),
  mutantsOf('attestation', 'prover')(
    'ATT-08',
    'exchanged',
    'Exchanges the documents of two callers under way now and then',
    exchanged(ATTESTATION),
  ),
  mutantsOf('attestation', 'prover')(
    'ATT-11',
    'kept-by-parameters',
    'Gives a document again that the same parameters had asked for',
    keptDocuments,
  ),
  mutantsOf('attestation', 'prover')(
    'ATT-07',
    'cut-at-256',
    'Keeps 256 bytes of user data',
    rewriteParams(ATTESTATION, ([userData, ...rest]) => [cut(userData), ...rest]),
  ),
  mutantsOf('prover', 'prover')(
    'PRV-RES-03',
    'proof-of-another',
    'Gives the proof made before to whoever asks while another one does',
    proofOfAnother,
  ),
  mutantsOf('selectors', 'rpc')(
    'RPC-SEL-01',
    'past-the-head',
    'Gives the newest block for each number past it',
    clippedToHead,
  ),
]
