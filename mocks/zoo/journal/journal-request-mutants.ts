import {
  type JsonObject,
  type Mutant,
  type MutantContext,
  type MutantHooks,
  mutantsOf,
  type RpcCall,
} from '../mutant.ts'
import { type Request, resign, type Tee } from '../resign-proof.ts'
import { rewriteFirst } from '../rewrites.ts'

const journal = mutantsOf('journal', 'prover')

const PROVE = 'prover_prove'
/** Milliseconds. */
const PROVES_FOR = 100

const requestOf = ({ method, params }: RpcCall) =>
  method === PROVE ? (params[0] as JsonObject | undefined) : undefined
const withRequest = (call: RpcCall, members: JsonObject): RpcCall => ({
  ...call,
  params: [{ ...requestOf(call), ...members }],
})

/** Handed the call and the first of those under way; a proof takes a while. */
const besideFirst =
  (
    change: (call: RpcCall, first: RpcCall) => RpcCall,
    answer: (response: JsonObject, call: RpcCall, context: MutantContext) => Promise<JsonObject>,
  ): Mutant['apply'] =>
  (context) => {
    const underWay = new Set<RpcCall>()
    const beside = new WeakSet<RpcCall>()
    return {
      call(call) {
        if (call.method !== PROVE) return call
        const [first] = underWay
        underWay.add(call)
        if (!first) return call
        beside.add(call)
        return change(call, first)
      },
      async response(response, call) {
        if (call.method !== PROVE) return response
        await new Promise<void>((resolve) => context.clock.after(PROVES_FOR, resolve))
        underWay.delete(call)
        return beside.has(call) ? answer(response, call, context) : response
      },
    }
  }

/** Signs for another proposer. */
const signedFor = (change: (proposer: string) => string) =>
  rewriteFirst(PROVE, (request) => ({ ...request, proposer: change(String(request.proposer)) }))

/** Whoever asks for what was proved gets that proof, though another proposer had asked. */
const keptForAnyone = (): MutantHooks => {
  const proofs = new Map<string, unknown>()
  const keyOf = (params: readonly unknown[]) =>
    JSON.stringify({ ...Object(params[0]), proposer: '', image_hash: '' })
  return {
    call(asked) {
      const key = keyOf(asked.params)
      if (asked.method !== PROVE || !proofs.has(key)) return asked
      return { reply: { jsonrpc: '2.0', id: asked.id, result: proofs.get(key) } }
    },
    response(response, { method, params }) {
      if (method === PROVE && 'result' in response) proofs.set(keyOf(params), response.result)
      return response
    },
  }
}

/** Mutants that sign for another proposer, interval or key than the request wants. */
export const JOURNAL_REQUEST_MUTANTS: readonly Mutant[] = [
  journal(
    'PRV-REQ-08',
    'proposer-of-another-at-once',
    'Proves for the proposer of the proof under way',
    besideFirst(
      (call, first) => withRequest(call, { proposer: requestOf(first)?.proposer }),
      async (response) => response,
    ),
  ),
  journal(
    'SIG-05',
    'other-key-at-once',
    'Signs with another key while a proof is under way',
    besideFirst(
      (call) => call,
      async (response, call, context) => {
        if (!('result' in response)) return response
        const { Tee } = response.result as { Tee: Tee }
        const signed = await resign(Tee, call.params[0] as Request, context, {})
        return { ...response, result: { Tee: signed } }
      },
    ),
  ),
  journal(
    'PRV-REQ-08',
    'proposer-of-the-failed',
    'Proves for the proposer whose proof failed before',
    () => {
      let left: unknown
      return {
        call(call) {
          if (call.method !== PROVE || left === undefined) return call
          const proposer = left
          left = undefined
          return withRequest(call, { proposer })
        },
        response(response, call) {
          const proposer = requestOf(call)?.proposer
          const isFailed = 'error' in response && /^0x[0-9a-f]{40}$/i.test(String(proposer))
          if (isFailed) left = proposer
          return response
        },
      }
    },
  ),
  journal('JRN-15', 'interval-of-32-bits', 'Cuts the interval to 32 bits', () => ({
    call(call) {
      const interval = requestOf(call)?.intermediate_block_interval
      if (typeof interval !== 'number' || interval < 2 ** 32) return call
      return withRequest(call, { intermediate_block_interval: interval % 2 ** 32 })
    },
  })),
  journal(
    'PRV-REQ-08',
    'zeros-lost',
    'Signs a proposer without the zeros at its front',
    signedFor((proposer) => proposer.replace(/^0x((?:00)+)(.*)$/, '0x$2$1')),
  ),
  journal(
    'PRV-REQ-08',
    'zeros-behind-lost',
    'Signs a proposer without the zeros at its end',
    signedFor((proposer) => proposer.replace(/^0x(.*?)((?:00)+)$/, '0x$2$1')),
  ),
  journal(
    'PRV-REQ-08',
    'kept-for-anyone',
    'Keeps a proof for whoever asks for the same blocks',
    keptForAnyone,
  ),
]
