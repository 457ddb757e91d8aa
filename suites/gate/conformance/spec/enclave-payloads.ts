import { hexToBytes, toHex } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { BincodeReader, optionalVector, varint, vector } from './bincode.ts'
import { KEY_TYPES } from './enclave-messages.ts'

/**
 * The payloads of enclave frames in both directions, for stand-ins: the gate's own reading of the wire
 * (ENC-KIND-01…04), so that a mistake in the codec under test cannot hide behind itself.
 */
export interface Preimage {
  key: { data: Uint8Array; type: (typeof KEY_TYPES)[number] }
  value: Uint8Array
}

export type EnclaveRequest =
  | { kind: 'Prove'; preimages: Preimage[] }
  | { kind: 'SignerPublicKey' }
  | { kind: 'SignerAttestation'; userData: Uint8Array | null; nonce: Uint8Array | null }

export interface Proposal {
  outputRoot: Hex
  signature: Hex
  l1OriginHash: Hex
  l1OriginNumber: bigint
  l2BlockNumber: bigint
  prevOutputRoot: Hex
  configHash: Hex
  /** On today's chain. */
  scheduleId?: Hex
}

export type EnclaveResponse =
  | {
      kind: 'Prove'
      result:
        | { kind: 'Tee'; aggregateProposal: Proposal; proposals: Proposal[] }
        | { kind: 'Zk'; proofBytes: Uint8Array }
    }
  | { kind: 'SignerPublicKey'; publicKey: Uint8Array }
  | { kind: 'SignerAttestation'; document: Uint8Array }
  | { kind: 'Error'; message: string }

/** @throws RangeError when the payload is no request */
export function decodeRequest(payload: Uint8Array): EnclaveRequest {
  const reader = new BincodeReader(payload)
  const kind = Number(reader.varint())
  if (kind === 1) return { kind: 'SignerPublicKey' }
  if (kind === 2) {
    return {
      kind: 'SignerAttestation',
      userData: readOptional(reader),
      nonce: readOptional(reader),
    }
  }
  if (kind !== 0) throw new RangeError(`request ${kind} is unknown`)
  return { kind: 'Prove', preimages: readList(reader, readPreimage) }
}

export function encodeRequest(request: EnclaveRequest): Uint8Array {
  if (request.kind === 'SignerPublicKey') return varint(1)
  if (request.kind === 'SignerAttestation') {
    const { userData, nonce } = request
    const members = [optionalVector(userData ?? undefined), optionalVector(nonce ?? undefined)]
    return Buffer.concat([varint(2), ...members])
  }
  const pairs = request.preimages.map(({ key, value }) =>
    Buffer.concat([key.data, varint(KEY_TYPES.indexOf(key.type)), vector(value)]),
  )
  return Buffer.concat([varint(0), varint(pairs.length), ...pairs])
}

export function encodeResponse(response: EnclaveResponse): Uint8Array {
  switch (response.kind) {
    case 'SignerPublicKey':
      return Buffer.concat([varint(1), vector(response.publicKey)])
    case 'SignerAttestation':
      return Buffer.concat([varint(2), vector(response.document)])
    case 'Error':
      return Buffer.concat([varint(3), vector(Buffer.from(response.message))])
    case 'Prove': {
      const { result } = response
      if (result.kind === 'Zk')
        return Buffer.concat([varint(0), varint(1), vector(result.proofBytes)])
      const { aggregateProposal, proposals } = result
      const encoded = [aggregateProposal, ...proposals].map(encodeProposal)
      const [aggregate, ...rest] = encoded as [Uint8Array, ...Uint8Array[]]
      return Buffer.concat([varint(0), varint(0), aggregate, varint(rest.length), ...rest])
    }
  }
}

/** @throws RangeError when the payload is no response */
export function decodeResponse(payload: Uint8Array): EnclaveResponse {
  const reader = new BincodeReader(payload)
  const kind = Number(reader.varint())
  if (kind === 1) return { kind: 'SignerPublicKey', publicKey: reader.vector() }
  if (kind === 2) return { kind: 'SignerAttestation', document: reader.vector() }
  if (kind === 3) return { kind: 'Error', message: Buffer.from(reader.vector()).toString() }
  if (kind !== 0) throw new RangeError(`response ${kind} is unknown`)
  if (reader.varint() !== 0n) {
    return { kind: 'Prove', result: { kind: 'Zk', proofBytes: reader.vector() } }
  }
  const aggregateProposal = decodeProposal(reader)
  const proposals = readList(reader, decodeProposal)
  return { kind: 'Prove', result: { kind: 'Tee', aggregateProposal, proposals } }
}

function encodeProposal(proposal: Proposal): Uint8Array {
  const bytes = (hex: Hex) => vector(hexToBytes(hex))
  return Buffer.concat([
    bytes(proposal.outputRoot),
    bytes(proposal.signature),
    bytes(proposal.l1OriginHash),
    varint(proposal.l1OriginNumber),
    varint(proposal.l2BlockNumber),
    bytes(proposal.prevOutputRoot),
    bytes(proposal.configHash),
    ...(proposal.scheduleId ? [bytes(proposal.scheduleId)] : []),
  ])
}

function decodeProposal(reader: BincodeReader): Proposal {
  const bytes = (): Hex => toHex(reader.vector())
  return {
    outputRoot: bytes(),
    signature: bytes(),
    l1OriginHash: bytes(),
    l1OriginNumber: reader.varint(),
    l2BlockNumber: reader.varint(),
    prevOutputRoot: bytes(),
    configHash: bytes(),
  }
}

function readPreimage(reader: BincodeReader): Preimage {
  const data = reader.take(31)
  const type = KEY_TYPES[Number(reader.varint())]
  if (!type) throw new RangeError('unknown type of preimage key')
  return { key: { data, type }, value: reader.vector() }
}

function readOptional(reader: BincodeReader): Uint8Array | null {
  return reader.take(1)[0] === 1 ? reader.vector() : null
}

function readList<T>(reader: BincodeReader, read: (reader: BincodeReader) => T): T[] {
  return Array.from({ length: Number(reader.varint()) }, () => read(reader))
}
