import type { Scene } from '../conformance-case.ts'
import { expectThat } from '../matchers/expect-equal.ts'
import { expectArray } from '../matchers/expect-shape.ts'
import { type CoseDocument, decodeCoseDocument } from '../spec/cose-document.ts'
import { addressOfKey, keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { type RpcReply, resultOf } from '../wire/json-rpc-client.ts'

/** 32 bytes, as the registrar's challenge is. */
export const NONCE = Array.from({ length: 32 }, (_, index) => 200 - index)
export const USER_DATA = [1, 2, 3, 254, 255]

/** What the host says its enclaves are. */
export interface EnclaveIdentities {
  keys: RpcReply
  /** With user data and one nonce for each enclave. */
  bound: RpcReply
  /** With neither. */
  bare: RpcReply
}

export const enclaveIdentities: Scene<EnclaveIdentities> = {
  name: 'enclave identities',
  kind: 'observation',
  async build({ prover }) {
    const keys = await prover.call('enclave_signerPublicKey', [])
    const count = Array.isArray(keys.body.result) ? keys.body.result.length : 1
    const nonces = Array.from({ length: count }, (_, index) => [...NONCE, index])
    return {
      keys,
      bound: await prover.call('enclave_signerAttestation', [USER_DATA, nonces]),
      bare: await prover.call('enclave_signerAttestation', [null, null]),
    }
  },
}

/** Byte vectors travel as arrays of numbers (OPEN-57…59). @throws CaseFailure */
export function expectByteVectors(reply: RpcReply, at: string): Uint8Array[] {
  return expectArray(resultOf(reply, at), `${at} result`).map((each, index) => {
    const bytes = expectArray(each, `${at} result[${index}]`)
    const isBytes = bytes.every((byte) => Number.isInteger(byte) && Number(byte) >>> 8 === 0)
    expectThat(isBytes, 'an array of bytes', bytes.slice(0, 8), `${at} result[${index}]`)
    return Uint8Array.from(bytes as number[])
  })
}

/** Documents of all enclaves, parsed. @throws CaseFailure */
export function expectDocuments(reply: RpcReply): CoseDocument[] {
  return expectByteVectors(reply, 'enclave_signerAttestation').map((bytes, index) =>
    decodeCoseDocument(bytes, `document ${index}`),
  )
}

/** Signer address and image hash of each enclave. In local mode there is no document, and zeros. */
export function readIdentities({
  keys,
  bare,
}: EnclaveIdentities): { signer: Hex; imageHash: Hex }[] {
  const documents = 'result' in bare.body ? expectDocuments(bare) : []
  return expectByteVectors(keys, 'enclave_signerPublicKey').map((key, index) => {
    const pcr0 = documents[index]?.payload.pcrs.get(0)
    return {
      signer: addressOfKey(key),
      imageHash: pcr0 ? keccak256(pcr0) : `0x${'00'.repeat(32)}`,
    }
  })
}
