/**
 * What travels between host and enclave, in the order Base's Rust enums and structs declare it
 * (base/base nitro-enclave/src/protocol.rs, primitives/src/proposal.rs before 15 July 2026).
 * alloy's fixed bytes are written with a length, PreimageKey's 31 bytes without.
 */
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { PreimageKeyType } from '#protocol/oracle/preimage-oracle'
import type { Proposal } from '#protocol/proof/types'
import type { Hash, Hex } from '#protocol/types/bytes'
import {
  bytes,
  decode,
  encode,
  fixedBytes,
  type Infer,
  mapped,
  ofLength,
  option,
  type Schema,
  string,
  struct,
  u32,
  u64,
  variants,
  vec,
} from './bincode.ts'
import { BincodeError } from './bincode-error.ts'

/** alloy `B256`: length 32, then the bytes. */
const b256: Schema<Hash> = mapped(
  bytes,
  (value) => bytesToHex(ofLength(value, 32)),
  (hash: Hash) => ofLength(hexToBytes(hash), 32),
)

const hex: Schema<Hex> = mapped(bytes, bytesToHex, hexToBytes)

/** Order of the wire's enum; the rendered 32-byte key numbers the same types from 1. */
const KEY_TYPES: PreimageKeyType[] = [
  'local',
  'keccak256',
  'global-generic',
  'sha256',
  'blob',
  'precompile',
]

const keyType: Schema<PreimageKeyType> = mapped(
  u32,
  (index) => {
    const type = KEY_TYPES[index]
    if (!type) throw new BincodeError(`unknown preimage key type ${index}`)
    return type
  },
  (type: PreimageKeyType) => KEY_TYPES.indexOf(type),
)

const preimage = struct({
  key: struct({ data: fixedBytes(31), type: keyType }),
  value: bytes,
})

const proposalFields = {
  outputRoot: b256,
  signature: hex,
  l1OriginHash: b256,
  l1OriginNumber: u64,
  l2BlockNumber: u64,
  prevOutputRoot: b256,
  configHash: b256,
}

const proposal: Schema<Proposal> = struct(proposalFields)

/** Since journals name a schedule; whoever reads has to know. */
const scheduledProposal: Schema<Proposal> = mapped(
  struct({ ...proposalFields, scheduleId: b256 }),
  (value) => value,
  ({ scheduleId, ...value }: Proposal) => {
    if (scheduleId === undefined) throw new BincodeError('a proposal without a schedule id')
    return { ...value, scheduleId }
  },
)

const proofResultOf = (each: Schema<Proposal>) =>
  variants({
    Tee: struct({ aggregateProposal: each, proposals: vec(each, 137) }),
    Zk: struct({ proofBytes: bytes }),
  })

const unit = struct({})

/** 31 key bytes, a type and a length: the least one preimage takes. */
const PREIMAGE_SIZE = 33

const request = variants({
  Prove: struct({ preimages: vec(preimage, PREIMAGE_SIZE) }),
  SignerPublicKey: unit,
  SignerAttestation: struct({ userData: option(bytes), nonce: option(bytes) }),
})

const responseOf = (each: Schema<Proposal>) =>
  variants({
    Prove: struct({ result: proofResultOf(each) }),
    SignerPublicKey: struct({ publicKey: bytes }),
    SignerAttestation: struct({ document: bytes }),
    Error: struct({ message: string }),
  })

const response = responseOf(proposal)
const scheduledResponse = responseOf(scheduledProposal)

/** The three request kinds (ENC-KIND-01..04). */
export type EnclaveRequest = Infer<typeof request>
export type EnclaveResponse = Infer<typeof response>

/** Payload of a request frame. @throws BincodeError */
export const encodeRequest = (value: EnclaveRequest): Buffer => encode(request, value)
/** Preimage bytes are views into `payload`. @throws BincodeError */
export const decodeRequest = (payload: Uint8Array): EnclaveRequest => decode(request, payload)
/** Payload of a response frame. @throws BincodeError */
export const encodeResponse = (value: EnclaveResponse): Buffer =>
  encode(namesSchedule(value) ? scheduledResponse : response, value)
/**
 * @param hasSchedule whether the chain's journals name a schedule: the bytes do not say
 * @throws BincodeError
 */
export const decodeResponse = (payload: Uint8Array, hasSchedule = false): EnclaveResponse =>
  decode(hasSchedule ? scheduledResponse : response, payload)

function namesSchedule(value: EnclaveResponse): boolean {
  if (value.kind !== 'Prove' || value.result.kind !== 'Tee') return false
  return value.result.aggregateProposal.scheduleId !== undefined
}
