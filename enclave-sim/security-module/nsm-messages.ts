/**
 * Requests and responses of the Nitro Security Module as CBOR, the way serde writes its Rust enums:
 * a name, or a map from the name to its fields. Source: aws-nitro-enclaves-nsm-api, src/api.
 */
import { decode, encode } from 'cborg'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** Largest request and response the driver takes. */
export const NSM_REQUEST_MAX = 0x1000
export const NSM_RESPONSE_MAX = 0x3000

export type NsmRequest =
  | { kind: 'DescribePCR'; index: number }
  | { kind: 'GetRandom' }
  | {
      kind: 'Attestation'
      userData: Uint8Array | null
      nonce: Uint8Array | null
      publicKey: Uint8Array | null
    }

export type NsmErrorCode =
  | 'InvalidArgument'
  | 'InvalidIndex'
  | 'InvalidOperation'
  | 'InputTooLarge'
  | 'InternalError'

export type NsmResponse =
  | { kind: 'DescribePCR'; lock: boolean; data: Uint8Array }
  | { kind: 'GetRandom'; random: Uint8Array }
  | { kind: 'Attestation'; document: Uint8Array }
  | { kind: 'Error'; code: string }

/** @throws NsmMessageInvalid above 4096 bytes */
export function encodeNsmRequest(request: NsmRequest): Uint8Array {
  if (request.kind === 'GetRandom') return encode(request.kind)
  const fields =
    request.kind === 'DescribePCR'
      ? { index: request.index }
      : { user_data: request.userData, nonce: request.nonce, public_key: request.publicKey }
  return bounded(encode({ [request.kind]: fields }), NSM_REQUEST_MAX)
}

/** @throws NsmMessageInvalid */
export function decodeNsmRequest(bytes: Uint8Array): NsmRequest {
  const [kind, fields] = variant(bounded(bytes, NSM_REQUEST_MAX))
  switch (kind) {
    case 'GetRandom':
      return { kind }
    case 'DescribePCR': {
      const index = fields.get('index')
      if (!Number.isInteger(index)) throw new NsmMessageInvalid('index is not an integer')
      return { kind, index: Number(index) }
    }
    case 'Attestation':
      return {
        kind,
        userData: optionalBytes(fields, 'user_data'),
        nonce: optionalBytes(fields, 'nonce'),
        publicKey: optionalBytes(fields, 'public_key'),
      }
    default:
      throw new NsmMessageInvalid(`unknown request ${kind}`)
  }
}

/** @throws NsmMessageInvalid above 12288 bytes */
export function encodeNsmResponse(response: NsmResponse): Uint8Array {
  const { kind, ...fields } = response
  const body = response.kind === 'Error' ? response.code : fields
  return bounded(encode({ [kind]: body }), NSM_RESPONSE_MAX)
}

/** @throws NsmMessageInvalid */
export function decodeNsmResponse(bytes: Uint8Array): NsmResponse {
  const [kind, fields, value] = variant(bounded(bytes, NSM_RESPONSE_MAX))
  switch (kind) {
    case 'DescribePCR':
      return { kind, lock: fields.get('lock') === true, data: someBytes(fields, 'data') }
    case 'GetRandom':
      return { kind, random: someBytes(fields, 'random') }
    case 'Attestation':
      return { kind, document: someBytes(fields, 'document') }
    case 'Error':
      return { kind, code: String(value) }
    default:
      throw new NsmMessageInvalid(`unknown response ${kind}`)
  }
}

function bounded(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit)
    throw new NsmMessageInvalid(`${bytes.length} bytes are above the limit of ${limit}`)
  return bytes
}

/** Name, fields and bare value of a Rust enum. */
function variant(bytes: Uint8Array): [string, Map<unknown, unknown>, unknown] {
  let message: unknown
  try {
    message = decode(bytes, { useMaps: true, rejectDuplicateMapKeys: true, strict: true })
  } catch (error) {
    throw new NsmMessageInvalid('not CBOR', error)
  }
  if (typeof message === 'string') return [message, new Map(), undefined]
  if (!(message instanceof Map) || message.size !== 1)
    throw new NsmMessageInvalid('not one variant')
  const [[name, value]] = message as unknown as [[unknown, unknown]]
  return [String(name), value instanceof Map ? value : new Map(), value]
}

function someBytes(fields: Map<unknown, unknown>, name: string): Uint8Array {
  const value = fields.get(name)
  if (!(value instanceof Uint8Array)) throw new NsmMessageInvalid(`${name} is not a byte string`)
  return value
}

const optionalBytes = (fields: Map<unknown, unknown>, name: string) =>
  fields.get(name) == null ? null : someBytes(fields, name)

export class NsmMessageInvalid extends RollbedError {
  constructor(problem: string, cause?: unknown) {
    super('NSM_MESSAGE_INVALID', `security module: ${problem}`, { cause })
  }
}
