import { concat, getAddress, type Hex, numberToHex, slice } from 'viem'
import { askEnclave } from '#mocks/enclave/ask-enclave'
import { answering, behind, cidsOf, hasFlag } from '#mocks/host/host-changes'
import type { HostFlags } from '#mocks/host/host-process'
import { decodeResponse } from '#suites/gate/conformance/spec/enclave-payloads'
import { codec, MARKER } from './attribution-mutants.ts'
import { hostMutant } from './host-mutant.ts'
import {
  type Forward,
  type HttpAnswer,
  type HttpExchange,
  type JsonObject,
  type Mutant,
  type MutantContext,
  mutantsOf,
  type RpcCall,
} from './mutant.ts'
import { type Request, resign, type Tee } from './resign-proof.ts'
import { answerInstead, rewriteResult } from './rewrites.ts'

/** Mutants from a list that was written without a look at the cases: what comes second, beside another, or at an edge. */

const service = mutantsOf('builder-codes', 'api')
const [prover, journal] = [mutantsOf('prover', 'prover'), mutantsOf('journal', 'prover')]
const [attestation, enclave] = [mutantsOf('attestation', 'prover'), mutantsOf('enclave', 'enclave')]
const PROVE = 'prover_prove'
/** Milliseconds. */
const PROVES_FOR = 100

type Registration = (wallet: string, ask: () => Promise<HttpAnswer>) => Promise<HttpAnswer>

/** A service with some state of its own; it is asked with the wallets that are well-formed. */
const registering = (rule: string, name: string, says: string, make: () => Registration) =>
  service(rule, name, says, () => {
    const register = make()
    return {
      http: async (request, forward) => {
        const wallet = walletOf(request)
        const isOne = typeof wallet === 'string' && /^0x[0-9a-f]{40}$/i.test(wallet)
        return isOne ? register(wallet, () => forward(request)) : forward(request)
      },
    }
  })
function walletOf({ body }: HttpExchange): unknown {
  try {
    return (JSON.parse(body) as JsonObject | null)?.walletAddress
  } catch {
    return undefined
  }
}
const withRecord = (answer: HttpAnswer, change: (record: JsonObject) => JsonObject): HttpAnswer =>
  answer.status < 300 && answer.body.includes('builderCode')
    ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) }
    : answer

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

const changedProof = (change: (tee: Tee, request: Request) => unknown) =>
  rewriteResult(PROVE, (result, { params }) =>
    change((result as { Tee: Tee }).Tee, params[0] as Request),
  )

const healthOf = async (forward: Forward, request: HttpExchange, isIll: () => Promise<boolean>) => {
  const answer = await forward(request)
  if (request.method !== 'GET' || answer.status !== 200) return answer
  return (await isIll()) ? { ...answer, status: 500, body: '{"error":"unhealthy"}' } : answer
}

/** Where the enclaves of a host are. */
const endpointsOf = (flags: HostFlags) =>
  cidsOf(flags).map(([, value]) => value.replace(/^\d+=/, ''))

export const UNTHOUGHT_MUTANTS: readonly Mutant[] = [
  registering('BC-08', 'wallet-of-another-at-once', 'Echoes the wallet that was asked last', () => {
    let last = ''
    return async (wallet, ask) => {
      last = wallet
      return withRecord(await ask(), (record) => ({
        ...record,
        walletAddress: getAddress(last.toLowerCase()),
      }))
    }
  }),
  registering(
    'BC-09',
    'prefix-in-capitals-at-times',
    'Writes BC_ for a wallet that ends with 0',
    () => {
      return async (wallet, ask) =>
        withRecord(await ask(), (record) =>
          wallet.endsWith('0')
            ? { ...record, builderCode: `BC_${String(record.builderCode).slice(3)}` }
            : record,
        )
    },
  ),
  codec('ATTR-03', 'codes-of-32-bytes', 'Cuts a code after 32 bytes', ({ read }) => ({
    read: (data) => read(data)?.map((code) => code.slice(0, 32)),
  })),
  codec(
    'ATTR-06',
    'marker-of-15-bytes',
    'Does not look at the first byte of the marker',
    ({ read }) => ({
      read: (data) =>
        data.endsWith(MARKER.slice(4)) ? read(concat([slice(data, 0, -16), MARKER])) : read(data),
    }),
  ),
  codec(
    'ATTR-03',
    'first-suffix',
    'Reads the inner suffix where calldata has one of its own',
    ({ read }) => ({
      read(data) {
        const end = data.lastIndexOf(MARKER.slice(2), data.length - 34)
        const inner = end > 0 && end % 2 === 0 ? read(data.slice(0, end + 32) as Hex) : undefined
        return inner ?? read(data)
      },
    }),
  ),
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
  prover(
    'PRV-RES-07',
    'genesis-without-root',
    'Has no root before block 1',
    changedProof((tee) => ({
      Tee: {
        ...tee,
        proposals: tee.proposals.map((each) =>
          each.l2_block_number === 1
            ? { ...each, prev_output_root: numberToHex(0, { size: 32 }) }
            : each,
        ),
      },
    })),
  ),
  prover(
    'PRV-RES-01',
    'bare-for-one-block',
    'Leaves the variant out where a proof has one block',
    changedProof((tee) => (tee.proposals.length === 1 ? tee : { Tee: tee })),
  ),
  attestation(
    'LIM-04',
    'thousand-in-all',
    'Refuses more than 1,000 bytes of user_data and nonce together',
    answerInstead('enclave_signerAttestation', ([userData, nonces]) => {
      const lengths = [userData, ...((nonces ?? []) as unknown[])].map(
        (bytes) => (bytes as number[] | null)?.length ?? 0,
      )
      const [own = 0, ...others] = lengths
      const isTooMuch = Math.max(...lengths) <= 512 && others.some((each) => own + each > 1000)
      return isTooMuch ? { error: { code: -32602, message: 'too long' } } : undefined
    }),
  ),
  hostMutant(
    'ROUTE-08',
    'invalid-for-good',
    'Never again asks for a signer that was invalid once',
    ({ clock }) =>
      behind('--l1-rpc-url', clock, () => {
        const invalid = new Map<string, unknown>()
        return {
          response(response, call) {
            const text = JSON.stringify(call.params[0])
            if (call.method !== 'eth_call' || !text.includes('0xd5f50582')) return response
            const isInvalid = 'result' in response && BigInt(String(response.result)) === 0n
            if (isInvalid) invalid.set(text, response.result)
            return invalid.has(text)
              ? { jsonrpc: '2.0', id: response.id, result: invalid.get(text) }
              : response
          },
        }
      }),
  ),
  hostMutant('PIPE-21', 'no-more-than-128', 'Loses the blocks after 128', (context) =>
    answering(context.clock, () =>
      changedProof((tee) => ({ Tee: { ...tee, proposals: tee.proposals.slice(0, 128) } }))(context),
    ),
  ),
  hostMutant(
    'HOST-HEALTH-03',
    'latch-needs-enclaves',
    'Is ill while no enclave answers, though it was healthy',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const ends = endpointsOf(flags)
        const isIll = async () => (await Promise.all(ends.map(isDown))).every(Boolean)
        return hasFlag(flags, '--tee-prover-registry-address')
          ? answering(clock, () => ({
              http: (request, forward) => healthOf(forward, request, isIll),
            }))(launch)(flags)
          : launch(flags)
      },
  ),
  hostMutant(
    'HOST-HEALTH-02',
    'first-enclave-down',
    'Is never healthy while the first enclave is down',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const [first = ''] = endpointsOf(flags)
        let isLatched = !hasFlag(flags, '--tee-prover-registry-address')
        const isIll = async () => {
          if (!isLatched) isLatched = !(await isDown(first))
          return !isLatched
        }
        return answering(clock, () => ({
          http: (request, forward) => healthOf(forward, request, isIll),
        }))(launch)(flags)
      },
  ),
  enclave('ENC-PROTO-05', 'length-at-once', 'Takes what came first for the whole length', () => ({
    enclave: { habits: { readsLengthAtOnce: true } },
  })),
  mutantsOf('verifier', 'l1')(
    'SIG-07',
    'signature-of-zeros',
    'Takes a signature of nothing but zeros',
    rewriteResult('eth_simulateV1', (result, { params }) => {
      const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: { data: Hex }[] }[] }]
      return (result as (JsonObject & { calls: JsonObject[] })[]).map((block, at) => ({
        ...block,
        calls: block.calls.map((outcome, index) => {
          const { data } = blockStateCalls[at]!.calls[index]!
          const isOfZeros = /0{128}(00|1b|1c)0{22}$/.test(data)
          if (outcome.status === '0x1' || !isOfZeros) return outcome
          const { error: _, ...rest } = outcome
          return { ...rest, status: '0x1', returnData: numberToHex(1, { size: 32 }) }
        }),
      }))
    }),
  ),
]

/** Whether an enclave tells no key. */
async function isDown(endpoint: string): Promise<boolean> {
  const answer = await askEnclave(endpoint, Uint8Array.of(1)).catch(() => undefined)
  return answer === undefined || decodeResponse(answer).kind === 'Error'
}
