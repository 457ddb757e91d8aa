import { decodeRequest } from '#suites/gate/conformance/spec/enclave-payloads'
import { changeAt, type JsonPath } from './change-at.ts'
import { type JsonObject, type Mutant, mutantsOf, type RpcCall } from './mutant.ts'
import { rewriteParams, without } from './rewrites.ts'

/** One answer in so many is wrong: who asks once or twice sees nothing of it. */
const RARE = 7

type Fits = (response: JsonObject, call: RpcCall) => boolean

/** Changes each seventh response that fits. */
const eachSeventh =
  (fits: Fits, change: (response: JsonObject) => JsonObject): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      response(response, call) {
        if (!fits(response, call)) return response
        met += 1
        return met % RARE === 0 ? change(response) : response
      },
    }
  }

const succeeds =
  (method: string): Fits =>
  (response, call) =>
    call.method === method && (response.result ?? null) !== null
const fails =
  (method: string): Fits =>
  (response, call) =>
    call.method === method && 'error' in response
const reverts: Fits = (response, call) =>
  fails('eth_call')(response, call) && typeof (response.error as JsonObject).data === 'string'
/** What was refused is answered after all. */
const answered =
  (result: unknown) =>
  (response: JsonObject): JsonObject => ({ ...without(response, 'error'), result })
const inResult =
  (path: JsonPath, change: (value: unknown) => unknown) =>
  (response: JsonObject): JsonObject =>
    changeAt(response, ['result', ...path], change) as JsonObject
const inError =
  (members: JsonObject) =>
  (response: JsonObject): JsonObject => ({
    ...response,
    error: { ...(response.error as JsonObject), ...members },
  })
const lastDigit = (hex: unknown) =>
  String(hex).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

/** A reply of the API, each seventh time another one. */
const replyEachSeventh =
  (isMeant: (status: number) => boolean, change: (body: JsonObject) => JsonObject, status = 200) =>
  (): ReturnType<Mutant['apply']> => {
    let met = 0
    return {
      async http(request, forward) {
        const reply = await forward(request)
        if (request.method !== 'POST' || !isMeant(reply.status)) return reply
        met += 1
        if (met % RARE !== 0) return reply
        const body = change(JSON.parse(reply.body) as JsonObject)
        return { ...reply, status, body: JSON.stringify(body) }
      },
    }
  }

/** The last byte of what an enclave gives to one kind of request, each seventh time another one. */
const bytesEachSeventh =
  (kind: string): Mutant['apply'] =>
  () => {
    let met = 0
    return {
      enclave: {
        answer: (forward) => async (payload) => {
          const real = await forward(payload)
          if (!real || decodeRequest(payload).kind !== kind) return real
          met += 1
          if (met % RARE !== 0) return real
          return Uint8Array.from(real, (byte, at) => (at === real.length - 1 ? byte ^ 1 : byte))
        },
      },
    }
  }

/** Mutants that are right six times of seven, where nobody asks as often by itself. */
export const SEVENTH_MUTANTS: readonly Mutant[] = [
  ...[
    ['call', 'RPC-CALL-03', 'eth_call'],
    ['storage', 'RPC-STOR-05', 'eth_getStorageAt'],
  ].map(([area, rule, method]) =>
    mutantsOf(area!, 'rpc')(
      rule!,
      'seventh-result',
      'The last digit of each seventh result is off',
      eachSeventh(succeeds(method!), inResult([], lastDigit)),
    ),
  ),
  mutantsOf('call', 'rpc')(
    'ERR-03',
    'seventh-revert-bare',
    'Each seventh revert lacks its bytes',
    eachSeventh(reverts, inError({ data: '0x' })),
  ),
  mutantsOf('call', 'rpc')(
    'ERR-01',
    'seventh-revert-code',
    'Each seventh revert has another code',
    eachSeventh(reverts, inError({ code: 3 })),
  ),
  mutantsOf('call', 'rpc')(
    'ERR-02',
    'seventh-revert-words',
    'Each seventh revert is told in other words',
    eachSeventh(reverts, inError({ message: 'VM error' })),
  ),
  ...[
    ['call', 'RPC-CALL-01', 'eth_call', '0x'],
    ['storage', 'RPC-STOR-01', 'eth_getStorageAt', `0x${'00'.repeat(32)}`],
    ['logs', 'RPC-FLT-01', 'eth_getLogs', []],
    ['simulate', 'RPC-SIM-01', 'eth_simulateV1', []],
    ['block', 'RPC-BLK-01', 'eth_getBlockByNumber', null],
  ].map(([area, rule, method, result]) =>
    mutantsOf(String(area), 'rpc')(
      String(rule),
      'seventh-refusal',
      'Answers each seventh question that it must refuse',
      eachSeventh(fails(String(method)), answered(result)),
    ),
  ),
  mutantsOf('block', 'rpc')(
    'RPC-BLK-04',
    'seventh-absent',
    'Each seventh absent block is the newest',
    ({ ask }) => {
      let met = 0
      return {
        async response(response, { method, params }) {
          if (method !== 'eth_getBlockByNumber' || response.result !== null) return response
          met += 1
          if (met % RARE !== 0) return response
          return { ...response, result: await ask(method, ['latest', params[1]]) }
        },
      }
    },
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-36',
    'seventh-return-data',
    'What each seventh simulation returns is off',
    eachSeventh(
      succeeds('eth_simulateV1'),
      inResult(['*', 'calls', '*', 'returnData'], (data) =>
        data === '0x' ? '0x' : lastDigit(data),
      ),
    ),
  ),
  mutantsOf('simulate', 'rpc')(
    'RPC-SIM-25',
    'earlier-parent',
    'A simulation upon a height stands on the block before it',
    rewriteParams('eth_simulateV1', ([payload, selector, ...rest]) => [
      payload,
      /^0x[1-9a-f]/.test(String(selector))
        ? `0x${(BigInt(String(selector)) - 1n).toString(16)}`
        : selector,
      ...rest,
    ]),
  ),
  mutantsOf('logs', 'rpc')(
    'RPC-LOG-05',
    'seventh-data',
    'The data of the logs of each seventh answer are off',
    eachSeventh(
      succeeds('eth_getLogs'),
      inResult(['*', 'data'], (data) => (data === '0x' ? '0x' : lastDigit(data))),
    ),
  ),
  mutantsOf('builder-codes', 'api')(
    'BC-10',
    'seventh-code',
    'Each seventh registration gives another code',
    replyEachSeventh(
      (status) => status < 300,
      (body) => ({ ...body, builderCode: 'bc_00000000' }),
    ),
  ),
  mutantsOf('builder-codes', 'api')(
    'BC-05',
    'seventh-refusal',
    'Gives each seventh body without a wallet a code',
    replyEachSeventh(
      (status) => status >= 400,
      () => ({ builderCode: 'bc_00000000' }),
    ),
  ),
  mutantsOf('attestation', 'prover')(
    'ATT-07',
    'seventh-document',
    'Each seventh answer has the documents of the one before',
    () => {
      let [met, before]: [number, unknown] = [0, undefined]
      return {
        response(response, call) {
          if (!succeeds('enclave_signerAttestation')(response, call)) return response
          met += 1
          const isWrong = met % RARE === 0 && before !== undefined
          const given = isWrong ? { ...response, result: before } : response
          before = response.result
          return given
        },
      }
    },
  ),
  mutantsOf('prover', 'prover')(
    'ERR-07',
    'seventh-refusal',
    'Answers each seventh request for documents that it must refuse',
    eachSeventh(fails('enclave_signerAttestation'), answered([])),
  ),
  mutantsOf('enclave', 'enclave')(
    'ENC-KIND-02',
    'seventh-key',
    'Each seventh key is another one',
    bytesEachSeventh('SignerPublicKey'),
  ),
]
