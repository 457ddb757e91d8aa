import { decode, encode } from 'cborg'

/**
 * Requests and responses of the Nitro Security Module in CBOR, as its API crate writes them: a name, or
 * a map from the name to its fields. Source: aws-nitro-enclaves-nsm-api, src/api. The gate's own reading.
 */
export type NsmRequest =
  | { kind: 'DescribePCR'; index: number }
  | { kind: 'GetRandom' }
  | {
      kind: 'Attestation'
      userData: Uint8Array | null
      nonce: Uint8Array | null
      publicKey: Uint8Array | null
    }

export type NsmResponse =
  | { kind: 'DescribePCR'; lock: boolean; data: Uint8Array }
  | { kind: 'GetRandom'; random: Uint8Array }
  | { kind: 'Attestation'; document: Uint8Array }
  | { kind: 'Error'; code: string }

export function encodeNsmRequest(request: NsmRequest): Uint8Array {
  switch (request.kind) {
    case 'GetRandom':
      return encode('GetRandom')
    case 'DescribePCR':
      return encode({ DescribePCR: { index: request.index } })
    case 'Attestation': {
      const { userData: user_data, nonce, publicKey: public_key } = request
      return encode({ Attestation: { user_data, nonce, public_key } })
    }
  }
}

/** @throws RangeError when the bytes are no request */
export function decodeNsmRequest(bytes: Uint8Array): NsmRequest {
  const message: unknown = decode(bytes)
  if (message === 'GetRandom') return { kind: 'GetRandom' }
  const { DescribePCR: describe, Attestation: attest } = (message ?? {}) as {
    DescribePCR?: { index: number }
    Attestation?: Partial<Record<'user_data' | 'nonce' | 'public_key', Uint8Array | null>>
  }
  if (describe) return { kind: 'DescribePCR', index: describe.index }
  if (!attest) throw new RangeError('this is no request to a security module')
  return {
    kind: 'Attestation',
    userData: attest.user_data ?? null,
    nonce: attest.nonce ?? null,
    publicKey: attest.public_key ?? null,
  }
}

export function encodeNsmResponse(response: NsmResponse): Uint8Array {
  if (response.kind === 'Error') return encode({ Error: response.code })
  const { kind, ...fields } = response
  return encode({ [kind]: fields })
}

/** @throws RangeError when the bytes are no response */
export function decodeNsmResponse(bytes: Uint8Array): NsmResponse {
  const message = decode(bytes) as {
    DescribePCR?: { lock: boolean; data: Uint8Array }
    GetRandom?: { random: Uint8Array }
    Attestation?: { document: Uint8Array }
    Error?: string
  }
  const { DescribePCR, GetRandom, Attestation, Error: code } = message
  if (DescribePCR) return { kind: 'DescribePCR', ...DescribePCR }
  if (GetRandom) return { kind: 'GetRandom', ...GetRandom }
  if (Attestation) return { kind: 'Attestation', ...Attestation }
  if (code === undefined) throw new RangeError('this is no answer of a security module')
  return { kind: 'Error', code }
}
