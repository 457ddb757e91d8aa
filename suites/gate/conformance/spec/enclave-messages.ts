import { toHex } from 'viem'
import { expectThat } from '../matchers/expect-equal.ts'
import type { Hex } from '../wire/hex.ts'
import { BincodeReader, optionalVector, varint, vector } from './bincode.ts'
import { keccak256Bytes, sha256Bytes } from './hash.ts'
import type { ProposalJson } from './proof-json.ts'

/** Types of preimage keys in the order of the wire's enum (OP specs number them from 1). */
export const KEY_TYPES = ['local', 'keccak256', 'generic', 'sha256', 'blob', 'precompile'] as const

/** One key/value pair of a Prove request (PIPE-05). */
export interface PreimagePair {
  type: (typeof KEY_TYPES)[number]
  /** The low 31 bytes of the key. */
  key: Uint8Array
  value: Uint8Array
}

/** Identifiers of the local preimages (OP specs, "Bootstrapping"; Base adds 8 to 10). */
export const LOCAL = {
  l1Head: 1,
  agreedRoot: 2,
  claimedRoot: 3,
  claimedBlock: 4,
  chainId: 5,
  proposer: 8,
  interval: 9,
  l1HeadNumber: 10,
} as const

export const SIGNER_PUBLIC_KEY = frame(Uint8Array.of(1))

/** A signer_attestation request as a frame. */
export function attestationFrame(userData?: Uint8Array, nonce?: Uint8Array): Uint8Array {
  const members = [optionalVector(userData), optionalVector(nonce)]
  return frame(Buffer.concat([Uint8Array.of(2), ...members]))
}

/** A Prove request as a frame. */
export function proveFrame(pairs: readonly PreimagePair[]): Uint8Array {
  const encoded = pairs.map(({ type, key, value }) =>
    Buffer.concat([key, varint(KEY_TYPES.indexOf(type)), vector(value)]),
  )
  return frame(Buffer.concat([Uint8Array.of(0), varint(pairs.length), ...encoded]))
}

/** Length as u32 big endian, then the payload (ENC-PROTO-05, ENC-PROTO-06). */
export function frame(payload: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.length)
  return Buffer.concat([length, payload])
}

/** The pairs of a Prove payload. @throws RangeError when it is none */
export function readPairs(payload: Uint8Array): PreimagePair[] {
  const reader = new BincodeReader(payload)
  if (reader.varint() !== 0n) throw new RangeError('this is no Prove request')
  return Array.from({ length: Number(reader.varint()) }, () => {
    const key = reader.take(31)
    const type = KEY_TYPES[Number(reader.varint())]
    if (!type) throw new RangeError('unknown type of preimage key')
    return { type, key, value: reader.vector() }
  })
}

/** The key of a local preimage: its identifier in the last eight bytes. */
export function localKey(identifier: number): Uint8Array {
  const key = Buffer.alloc(31)
  key.writeBigUInt64BE(BigInt(identifier), 23)
  return key
}

/** The key that a value must have: the low 31 bytes of its hash. */
export function hashKey(type: 'keccak256' | 'sha256', value: Uint8Array): Uint8Array {
  const hash = type === 'keccak256' ? keccak256Bytes(value) : sha256Bytes(value)
  return hash.subarray(1)
}

export type EnclaveResponse =
  | { kind: 'proof'; aggregate: ProposalJson; proposals: ProposalJson[] }
  | { kind: 'bytes'; variant: 1 | 2; bytes: Uint8Array }
  | { kind: 'error'; message: string }

/**
 * A response payload, parsed whole.
 *
 * @param judged by which profile: in `today` a proposal names the schedule of upgrades last
 * @throws CaseFailure
 */
export function expectResponse(
  payload: Uint8Array | undefined,
  at: string,
  { profile }: { profile: string } = { profile: 'spec' },
): EnclaveResponse {
  expectThat(payload !== undefined, 'a response frame', 'none', at)
  try {
    const reader = new BincodeReader(payload)
    const response = readResponse(reader, profile === 'today')
    if (reader.left > 0) throw new RangeError(`${reader.left} bytes after the response`)
    return response
  } catch (error) {
    const hex = toHex(payload.subarray(0, 100))
    expectThat(false, 'a response in bincode', `${(error as Error).message}: ${hex}`, at)
  }
}

function readResponse(reader: BincodeReader, namesSchedule: boolean): EnclaveResponse {
  const variant = Number(reader.varint())
  if (variant === 1 || variant === 2) return { kind: 'bytes', variant, bytes: reader.vector() }
  if (variant === 3) return { kind: 'error', message: Buffer.from(reader.vector()).toString() }
  if (variant !== 0 || reader.varint() !== 0n) throw new RangeError('unknown variant')
  const read = () => readProposal(reader, namesSchedule)
  const aggregate = read()
  const count = Number(reader.varint())
  return {
    kind: 'proof',
    aggregate,
    proposals: Array.from({ length: count }, read),
  }
}

function readProposal(reader: BincodeReader, namesSchedule: boolean): ProposalJson {
  const hex = (): Hex => toHex(reader.vector())
  return {
    output_root: hex(),
    signature: hex(),
    l1_origin_hash: hex(),
    l1_origin_number: Number(reader.varint()),
    l2_block_number: Number(reader.varint()),
    prev_output_root: hex(),
    config_hash: hex(),
    ...(namesSchedule && { schedule_id: hex() }),
  }
}
