import {
  type HttpAnswer,
  type JsonObject,
  type Mutant,
  type MutantContext,
  type MutantHooks,
  mutantsOf,
  type RpcCall,
} from '../mutant.ts'

const block = mutantsOf('block', 'rpc')
const logs = mutantsOf('logs', 'rpc')
const call = mutantsOf('call', 'rpc')
const simulate = mutantsOf('simulate', 'rpc')
const storage = mutantsOf('storage', 'rpc')
const codes = mutantsOf('builder-codes', 'api')
const attestation = mutantsOf('attestation', 'prover')

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

/** Mutants that give two answers under way each to the other client, now and then. */
export const EXCHANGED_MUTANTS: readonly Mutant[] = [
  block(
    'RPC-SEL-01',
    'exchanged',
    'Exchanges two blocks under way now and then',
    exchanged('eth_getBlockByNumber'),
  ),
  logs(
    'RPC-FLT-07',
    'exchanged',
    'Exchanges two lists of logs under way now and then',
    exchanged('eth_getLogs'),
  ),
  call(
    'RPC-CALL-03',
    'exchanged',
    'Exchanges what two calls under way return, now and then',
    exchanged('eth_call'),
  ),
  simulate(
    'RPC-SIM-32',
    'exchanged',
    'Exchanges two simulations under way now and then',
    exchanged('eth_simulateV1'),
  ),
  storage(
    'RPC-STOR-02',
    'exchanged',
    'Exchanges two values under way now and then',
    exchanged('eth_getStorageAt'),
  ),
  codes(
    'BC-07',
    'exchanged',
    'Exchanges two registrations under way now and then',
    recordsExchanged,
  ),
  attestation(
    'ATT-08',
    'exchanged',
    'Exchanges the documents of two callers under way now and then',
    exchanged(ATTESTATION),
  ),
]
