import { bytesToHex } from '@ethereumjs/util'
import { type Hex, keccak256, sha256, toHex } from 'viem'
import { type EnclaveAnswer, frame, type WireHabits } from '#mocks/enclave/serve-enclave'
import {
  decodeRequest,
  decodeResponse,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeRequest,
  encodeResponse,
  type Preimage,
  type Proposal,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { type Mutant, mutantsOf } from '../mutant.ts'

const mutant = mutantsOf('enclave', 'enclave')

interface Tee {
  aggregateProposal: Proposal
  proposals: Proposal[]
}

const enclave = (
  rule: string,
  name: string,
  says: string,
  hooks: () => { habits?: WireHabits; answer?: (forward: EnclaveAnswer) => EnclaveAnswer },
) => mutant(rule, name, says, () => ({ enclave: hooks() }))

const wire = (rule: string, name: string, says: string, habits: WireHabits) =>
  enclave(rule, name, says, () => ({ habits }))

/** Changes the response to one kind of request; undefined drops the connection. */
const response = (
  rule: string,
  name: string,
  says: string,
  kind: EnclaveRequest['kind'],
  change: (response: EnclaveResponse) => EnclaveResponse | undefined,
) =>
  enclave(rule, name, says, () => ({
    answer: (forward) => async (payload) => {
      const real = await forward(payload)
      if (!real || kindOf(payload) !== kind) return real
      const changed = change(decodeResponse(real))
      return changed && encodeResponse(changed)
    },
  }))

/** Changes what was proven. */
const proven = (rule: string, name: string, says: string, change: (tee: Tee) => Tee) =>
  response(rule, name, says, 'Prove', (real) =>
    real.kind === 'Prove' && real.result.kind === 'Tee'
      ? { kind: 'Prove', result: { kind: 'Tee', ...change(real.result) } }
      : real,
  )

const withNextOrigin = (proposal: Proposal) => ({
  ...proposal,
  l1OriginNumber: proposal.l1OriginNumber + 1n,
})

const withRaisedV = (proposal: Proposal): Proposal => {
  const v = 27 + Number.parseInt(proposal.signature.slice(-2), 16)
  return { ...proposal, signature: `${proposal.signature.slice(0, -2)}${v.toString(16)}` as Hex }
}

/** An enclave that remembers the first witness it proved, and uses it where it should not. */
const remembering = (
  rule: string,
  name: string,
  says: string,
  change: (preimages: Preimage[], first: readonly Preimage[]) => Preimage[],
  changeResponse: (response: EnclaveResponse) => EnclaveResponse = (same) => same,
) =>
  enclave(rule, name, says, () => {
    let first: Preimage[] | undefined
    return {
      answer: (forward) => async (payload) => {
        if (kindOf(payload) !== 'Prove') return forward(payload)
        const request = decodeRequest(payload)
        if (request.kind !== 'Prove') return forward(payload)
        const preimages = first ? change(request.preimages, first) : request.preimages
        const answer = await forward(encodeRequest({ kind: 'Prove', preimages }))
        if (!answer) return answer
        const decoded = decodeResponse(answer)
        if (decoded.kind === 'Prove') first ??= request.preimages
        return preimages === request.preimages ? answer : encodeResponse(changeResponse(decoded))
      },
    }
  })

const local = (rule: string, name: string, says: string, identifier: number) =>
  remembering(rule, name, says, (preimages, first) => withLocals(preimages, first, [identifier]))

/** The local values of the first witness in place of those now. */
function withLocals(
  preimages: readonly Preimage[],
  first: readonly Preimage[],
  identifiers: readonly number[],
): Preimage[] {
  return preimages.map((preimage) => {
    const isMeant = preimage.key.type === 'local' && identifiers.includes(preimage.key.data[30]!)
    return (isMeant && first.find((each) => nameOf(each) === nameOf(preimage))) || preimage
  })
}

/** Pairs of the first witness that are missing now are put back. */
const withMissing = (preimages: readonly Preimage[], first: readonly Preimage[]) => {
  const known = new Set(preimages.map(nameOf))
  return [...preimages, ...first.filter((each) => !known.has(nameOf(each)))]
}

/** Wrong values are put right from the first witness, or dropped when they were not in it. */
const repaired = (
  preimages: readonly Preimage[],
  first: readonly Preimage[],
  isMeant: (preimage: Preimage, right: Preimage | undefined) => boolean,
) =>
  preimages.flatMap((preimage) => {
    const right = first.find((each) => nameOf(each) === nameOf(preimage))
    if (isRight(preimage) || !isMeant(preimage, right)) return [preimage]
    return right ? [right] : []
  })

function isRight({ key, value }: Preimage): boolean {
  const hash = { keccak256, sha256 }[key.type as 'keccak256' | 'sha256']
  return !hash || hash(value).slice(4) === bytesToHex(key.data).slice(2)
}

const nameOf = ({ key }: Preimage) => `${key.type}:${bytesToHex(key.data)}`

function kindOf(payload: Uint8Array): EnclaveRequest['kind'] | undefined {
  return (['Prove', 'SignerPublicKey', 'SignerAttestation'] as const)[payload[0] ?? 255]
}

/** Mutants of an enclave on its wire. */
export const ENCLAVE_MUTANTS: readonly Mutant[] = [
  wire('ENC-PROTO-03', 'many-requests', 'Serves many requests on one connection', {
    servesMany: true,
  }),
  wire('ENC-PROTO-04', 'stays-open', 'Keeps the connection open', { keepsOpen: true }),
  wire('ENC-PROTO-05', 'little-endian', 'Reads lengths in little endian', {
    lengthOf: (header) => header.readUInt32LE(),
  }),
  wire('ENC-PROTO-06', 'json', 'Answers in JSON', {
    frame: (payload) => {
      const json = Buffer.from(JSON.stringify({ response: [...payload] }))
      const header = Buffer.alloc(4)
      header.writeUInt32BE(json.length)
      return Buffer.concat([header, json])
    },
  }),
  wire('ENC-PROTO-06', 'bytes-after-it', 'Leaves bytes behind the payload, within its frame', {
    frame: (payload) => frame(Buffer.concat([payload, Buffer.alloc(3)])),
  }),
  wire('ENC-PROTO-07', 'no-prefix', 'Answers without a length', { frame: (payload) => payload }),
  wire('ENC-PROTO-08', 'other-port', 'Listens on port 8001', { port: 8001 }),
  response('ENC-KIND-01', 'no-prove', 'Does not know Prove', 'Prove', () => undefined),
  proven('PRV-PROP-04', 'next-l1-number', 'Proposals have the number after the L1 head', (tee) => ({
    aggregateProposal: withNextOrigin(tee.aggregateProposal),
    proposals: tee.proposals.map(withNextOrigin),
  })),
  proven('PRV-RES-05', 'two-swapped', 'The first two proposals are exchanged', (tee) => ({
    ...tee,
    proposals: [1, 0].map((at) => tee.proposals[at]!).concat(tee.proposals.slice(2)),
  })),
  proven(
    'PIPE-20',
    'last-block-signature',
    'The aggregate has the signature of a block',
    (tee) => ({
      ...tee,
      aggregateProposal: {
        ...tee.aggregateProposal,
        signature: tee.proposals.at(-1)!.signature,
      },
    }),
  ),
  proven('SIG-04', 'v-27-on-the-wire', 'v is 27 or 28', (tee) => ({
    aggregateProposal: withRaisedV(tee.aggregateProposal),
    proposals: tee.proposals.map(withRaisedV),
  })),
  enclave('ATT-12', 'kept-by-binding', 'Gives the first document of the same words again', () => {
    const kept = new Map<string, Uint8Array>()
    return {
      answer: (forward) => async (payload) => {
        const name = toHex(payload)
        const real = kept.get(name) ?? (await forward(payload))
        if (real && kindOf(payload) === 'SignerAttestation') kept.set(name, real)
        return real
      },
    }
  }),
  response('ENC-KIND-02', 'address-for-key', 'Gives the address', 'SignerPublicKey', (real) =>
    real.kind === 'SignerPublicKey'
      ? {
          ...real,
          publicKey: Buffer.from(keccak256(real.publicKey.subarray(1), 'bytes').subarray(12)),
        }
      : real,
  ),
  response(
    'ENC-KIND-03',
    'no-attestation',
    'Does not know signer_attestation',
    'SignerAttestation',
    () => undefined,
  ),
  enclave('ENC-KIND-04', 'debug-kind', 'Has a fourth kind', () => ({
    answer: (forward) => async (payload) =>
      payload[0] === 3
        ? encodeResponse({ kind: 'SignerPublicKey', publicKey: new Uint8Array(32) })
        : forward(payload),
  })),
  remembering('PIPE-07', 'keccak-unchecked', 'Checks no Keccak-256 key', (preimages, first) =>
    repaired(preimages, first, ({ key }) => key.type === 'keccak256'),
  ),
  remembering('PIPE-08', 'sha256-unchecked', 'Checks Keccak-256 keys only', (preimages, first) =>
    repaired(preimages, first, ({ key }) => key.type === 'sha256'),
  ),
  remembering('SAFE-05', 'checked-lazily', 'Checks what it reads only', (preimages, first) =>
    repaired(preimages, first, (_, right) => !right),
  ),
  local('PIPE-09', 'proposer-remembered', 'Takes the proposer from elsewhere', 8),
  local('PIPE-10', 'l1-head-remembered', 'Takes the L1 head from elsewhere', 1),
  local('PIPE-11', 'agreed-root-remembered', 'Takes the agreed root from elsewhere', 2),
  local('PIPE-12', 'claim-never-read', 'Never reads the claim', 3),
  local('PIPE-13', 'interval-constant', 'Has a constant interval', 9),
  local('PIPE-14', 'chain-compiled-in', 'Ignores the chain id', 5),
  remembering(
    'ERR-16',
    'zero-config-hash',
    'Uses a zero config hash for unknown chains',
    (preimages, first) => withLocals(preimages, first, [5]),
    (real) => {
      if (real.kind !== 'Prove' || real.result.kind !== 'Tee') return real
      const configHash = `0x${'00'.repeat(32)}` as const
      const { aggregateProposal, proposals } = real.result
      return {
        kind: 'Prove',
        result: {
          kind: 'Tee',
          aggregateProposal: { ...aggregateProposal, configHash },
          proposals: proposals.map((proposal) => ({ ...proposal, configHash })),
        },
      }
    },
  ),
  local('ERR-17', 'proves-unknown-chains', 'Proves for an unknown chain', 5),
  response('PIPE-05', 'asks-back', 'Wants to ask the host for preimages', 'Prove', (real) =>
    real.kind === 'Prove' ? { kind: 'Error', message: 'Key not found.' } : real,
  ),
  remembering('PIPE-16', 'no-derivation', 'Executes without deriving', withMissing),
  remembering('SAFE-07', 'preimages-kept', 'Keeps preimages between requests', withMissing),
  remembering('PIPE-07', 'first-64-verified', 'Verifies the first 64 pairs', (preimages, first) =>
    repaired(preimages, first, (pair) => preimages.indexOf(pair) >= 64),
  ),
]
