import { toHex } from 'viem'
import { hashKey } from '#suites/gate/conformance/spec/enclave-messages'
import {
  type EnclaveRequest,
  encodeResponse,
  type Preimage,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { handed, requestIn } from './handed-request.ts'
import {
  type HttpAnswer,
  type HttpExchange,
  type JsonObject,
  type Mutant,
  type MutantHooks,
  mutantsOf,
} from './mutant.ts'

const [codes, enclave] = [mutantsOf('builder-codes', 'api'), mutantsOf('enclave', 'enclave')]
const [prover, journal] = [mutantsOf('prover', 'prover'), mutantsOf('journal', 'prover')]
const attestation = mutantsOf('attestation', 'prover')

const [PROVE, ATTEST] = ['prover_prove', 'enclave_signerAttestation'] as const

type Binding = Pick<Extract<EnclaveRequest, { kind: 'SignerAttestation' }>, 'userData' | 'nonce'>

/** Wallets that are remembered, by one who keeps those of late. */
const REMEMBERED = 45
/** Bytes from which on bincode writes a length behind 251. */
const LONG = 251
const REFUSAL = encodeResponse({ kind: 'Error', message: 'cannot be read' })

function walletIn({ body }: HttpExchange): string | undefined {
  try {
    const { walletAddress } = JSON.parse(body) as JsonObject
    return typeof walletAddress === 'string' ? walletAddress : undefined
  } catch {
    return undefined
  }
}

/** Another code in a record; what is no record stays as it is. */
function withOtherCode(answer: HttpAnswer, end: string): HttpAnswer {
  if (answer.status >= 300) return answer
  const record = JSON.parse(answer.body) as JsonObject
  const builderCode = `${String(record.builderCode).slice(0, -end.length)}${end}`
  return { ...answer, body: JSON.stringify({ ...record, builderCode }) }
}

/** A wallet that came back after so many others gets a code as if it were new. */
const forgetful = (): MutantHooks => {
  const remembered: string[] = []
  const times = new Map<string, number>()
  return {
    async http(request, forward) {
      const answer = await forward(request)
      const wallet = walletIn(request)?.toLowerCase()
      if (!wallet || answer.status >= 300) return answer
      const at = remembered.indexOf(wallet)
      if (at >= 0) remembered.splice(at, 1)
      else times.set(wallet, (times.get(wallet) ?? -1) + 1)
      remembered.push(wallet)
      if (remembered.length > REMEMBERED) remembered.shift()
      const time = times.get(wallet)!
      return time > 0 ? withOtherCode(answer, String(time)) : answer
    },
  }
}

/** Two spellings of a wallet that come at once are two wallets. */
const racing = (): MutantHooks => {
  const underWay: string[] = []
  return {
    async http(request, forward) {
      const wallet = walletIn(request) ?? ''
      const isOther = (each: string) =>
        each !== wallet && each.toLowerCase() === wallet.toLowerCase()
      const isLate = underWay.some(isOther)
      underWay.push(wallet)
      try {
        const answer = await forward(request)
        return isLate ? withOtherCode(answer, 'zz') : answer
      } finally {
        underWay.splice(underWay.indexOf(wallet), 1)
      }
    },
  }
}

/** Whoever shares all digits but the last is the same wallet. */
const shortKeyed = (): MutantHooks => {
  const records = new Map<string, string>()
  return {
    async http(request, forward) {
      const answer = await forward(request)
      const key = walletIn(request)?.toLowerCase().slice(0, -1)
      if (!key || answer.status >= 300) return answer
      if (!records.has(key)) records.set(key, answer.body)
      return { ...answer, body: records.get(key)! }
    },
  }
}

const inCapitals = (): MutantHooks => ({
  async http(request, forward) {
    const wallet = walletIn(request) ?? ''
    const answer = await forward(request)
    return /^0x[0-9A-F]*[A-F][0-9A-F]*$/.test(wallet) ? withOtherCode(answer, 'zz') : answer
  },
})

/** Takes another text for an address. */
const mending = (change: (wallet: string) => string) => (): MutantHooks => ({
  http(request, forward) {
    const wallet = walletIn(request)
    if (wallet === undefined) return forward(request)
    return forward({ ...request, body: JSON.stringify({ walletAddress: change(wallet) }) })
  },
})

/** An enclave that cannot read what is such. */
const blindTo = (isUnread: (request: EnclaveRequest) => boolean) => (): MutantHooks => ({
  enclave: {
    answer: (forward) => async (payload) => {
      const request = requestIn(payload)
      return request && isUnread(request) ? REFUSAL : forward(payload)
    },
  },
})

const lengthsOf = (request: EnclaveRequest): number[] =>
  request.kind === 'SignerAttestation'
    ? [request.userData?.length ?? 0, request.nonce?.length ?? 0]
    : []

/** Takes some wrong preimages without a word. */
const unchecked = (isUnchecked: (preimage: Preimage, place: number) => boolean) =>
  handed((request) => {
    if (request.kind !== 'Prove') return request
    const { preimages } = request
    const isWrong = ({ key: { data, type }, value }: Preimage) =>
      type === 'keccak256' && toHex(hashKey(type, value)) !== toHex(data)
    const isTaken = (each: Preimage, index: number) =>
      !(isUnchecked(each, index / preimages.length) && isWrong(each))
    return { ...request, preimages: preimages.filter(isTaken) }
  })

const bound = (change: (of: Binding) => Partial<Binding>) =>
  handed((request) =>
    request.kind === 'SignerAttestation' ? { ...request, ...change(request) } : request,
  )

const closedWhileProving = (): MutantHooks => {
  let proving = 0
  return {
    enclave: {
      answer: (forward) => async (payload) => {
        const isProof = payload[0] === 0
        if (!isProof && proving > 0) return REFUSAL
        proving += Number(isProof)
        try {
          return await forward(payload)
        } finally {
          proving -= Number(isProof)
        }
      },
    },
  }
}

const refuses = (status: number): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"refused"}',
})

/** Refuses some requests by their HTTP status. */
const refusing =
  (status: number, isRefused: (request: HttpExchange) => boolean) => (): MutantHooks => ({
    http: async (request, forward) => (isRefused(request) ? refuses(status) : forward(request)),
  })

/** A load balancer finds each fifth look ill. */
const illNowAndThen = (): MutantHooks => {
  let looks = 0
  return {
    async http(request, forward) {
      looks += Number(request.method === 'GET')
      return request.method === 'GET' && looks % 5 === 0 ? refuses(503) : forward(request)
    },
  }
}

/** Ids that are no numbers come back as null. */
const numbersAsIds = (): MutantHooks => ({
  response: (response) => (typeof response.id === 'string' ? { ...response, id: null } : response),
})

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

/** What is given without the other is not bound. */
const aloneLost = (at: 0 | 1) => (): MutantHooks => ({
  call(asked) {
    const isAlone = asked.params[at] && !asked.params[1 - at]
    const isLong = JSON.stringify(asked.params).length > 1_000
    return asked.method === ATTEST && isAlone && !isLong
      ? { ...asked, params: [null, null] }
      : asked
  },
})

/** An address of letters in both cases is none. */
const lowerCaseOnly = (): MutantHooks => ({
  call(asked) {
    const { proposer } = Object(asked.params[0]) as JsonObject
    if (asked.method !== PROVE || !/[A-F]/.test(String(proposer))) return asked
    const error = { code: -32602, message: 'proposer is no address' }
    return { reply: { jsonrpc: '2.0', id: asked.id, error } }
  },
})

/** Mistakes in the API of builder codes, on an enclave's line and of a host that no case had looked for. */
export const OVERLOOKED_WIRE_MUTANTS: readonly Mutant[] = [
  codes('BC-12', 'forgetful', 'Forgets a wallet over forty-five others', forgetful),
  codes('BC-12', 'two-spellings-at-once', 'Two spellings at once get two codes', racing),
  codes('BC-12', 'capitals-apart', 'An address in capitals is another wallet', inCapitals),
  codes('BC-08', 'neighbours-record', 'Does not look at the last digit', shortKeyed),
  codes(
    'BC-06',
    'capital-x',
    'Takes 0X for 0x',
    mending((wallet) => wallet.replace(/^0X/, '0x')),
  ),
  codes(
    'BC-06',
    'line-break-behind',
    'Takes an address with a line break behind it',
    mending((wallet) => wallet.replace(/\n$/, '')),
  ),
  codes(
    'BC-06',
    'word-as-address',
    'Takes the last 20 of 32 bytes',
    mending((wallet) => wallet.replace(/^0x0{24}(?=.{40}$)/, '0x')),
  ),
  codes(
    'BC-06',
    'names-too',
    'Takes a name, and finds an address for it',
    mending((wallet) => wallet.replace(/^\w+\.eth$/, `0x${'5a'.repeat(20)}`)),
  ),
  enclave(
    'ENC-KIND-03',
    'lengths-about-251',
    'Cannot read lengths of 251 to 255 bytes',
    blindTo((request) => lengthsOf(request).some((length) => length >= LONG && length < 256)),
  ),
  enclave(
    'ENC-KIND-03',
    'long-nonces',
    'Cannot read nonces of 251 bytes and more',
    blindTo((request) => (lengthsOf(request)[1] ?? 0) >= LONG),
  ),
  enclave('ENC-KIND-02', 'mute-while-proving', 'Tells nothing while it proves', closedWhileProving),
  prover('HOST-HEALTH-06', 'ill-each-fifth', 'Each fifth GET /healthz is 503', illNowAndThen),
  prover(
    'HOST-RPC-15',
    'indented-refused',
    'Refuses a body with line breaks',
    refusing(400, ({ body }) => body.includes('\n')),
  ),
  prover(
    'HOST-RPC-15',
    'charset-refused',
    'Refuses a content type with a charset',
    refusing(415, ({ headers }) => Boolean(headers['content-type']?.includes('charset'))),
  ),
  prover('HOST-RPC-15', 'numbers-as-ids', 'Answers no id that is text', numbersAsIds),
  prover('PRV-REQ-08', 'lower-case-only', 'Takes no proposer in both cases', lowerCaseOnly),
  journal(
    'PRV-REQ-08',
    'kept-for-anyone',
    'Keeps a proof for whoever asks for the same blocks',
    keptForAnyone,
  ),
  attestation('ATT-07', 'user-data-alone-lost', 'Binds no user data without nonces', aloneLost(0)),
  attestation('ATT-08', 'nonce-alone-lost', 'Binds no nonce without user data', aloneLost(1)),
  enclave(
    'ENC-KIND-03',
    'user-data-alone',
    'Binds user data only beside a nonce',
    bound(({ userData, nonce }) => ({ userData: nonce && userData })),
  ),
  enclave(
    'ENC-KIND-03',
    'nonce-alone',
    'Takes a nonce without user data for user data',
    bound(({ userData, nonce }) => (userData ? {} : { userData: nonce, nonce: null })),
  ),
  enclave(
    'SAFE-05',
    'first-half-unchecked',
    'Checks the second half of the preimages',
    unchecked((_, place) => place < 0.5),
  ),
  enclave(
    'SAFE-05',
    'long-unchecked',
    'Checks no preimage of more than 600 bytes',
    unchecked(({ value }) => value.length > 600),
  ),
]
