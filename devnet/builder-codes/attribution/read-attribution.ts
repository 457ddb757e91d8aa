import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { type CalldataGas, calldataGas } from './calldata-gas.ts'
import { Attribution } from './erc8021.ts'

/** What an ERC-8021 suffix says, and what it costs (ATTR-03, ATTR-07). */
export interface AttributedSuffix {
  attribution: Attribution.Attribution
  /** Bytes from the end of the calldata, marker included. */
  size: number
  gas: CalldataGas
}

const MARKER_BYTES = 16
const ADDRESS_BYTES = 20
const ASCII_CODE = /^[\x21-\x7e]+$/

/**
 * Reads the ERC-8021 suffix at the end of calldata; schemas 0, 1 and 2.
 *
 * `ox` trusts the lengths written in a suffix and throws on malformed CBOR, so the bounds are checked
 * here first: calldata is anybody's bytes.
 *
 * @returns undefined where the data carries no (well-formed) attribution (ATTR-06)
 */
export function readAttribution(calldata: Uint8Array): AttributedSuffix | undefined {
  const size = suffixSize(calldata)
  if (size === undefined || size > calldata.length) return undefined
  const suffix = calldata.subarray(calldata.length - size)
  try {
    const attribution = Attribution.fromData(bytesToHex(suffix))
    if (!attribution || !isReadable(attribution)) return undefined
    return { attribution, size, gas: calldataGas(suffix) }
  } catch {
    return undefined
  }
}

/** The size that the suffix claims for itself; undefined without marker or with unknown schema. */
function suffixSize(data: Uint8Array): number | undefined {
  const marker = data.length - MARKER_BYTES
  if (marker < 2) return undefined
  for (let i = 0; i < MARKER_BYTES; i++) {
    if (data[marker + i] !== (i % 2 === 0 ? 0x80 : 0x21)) return undefined
  }
  const schema = data[marker - 1]!
  const length = data[marker - 2]!
  if (schema === 0) return MARKER_BYTES + 2 + length
  if (schema === 1) {
    const chainIdLength = data[marker - 3 - length]
    if (!chainIdLength) return undefined
    return MARKER_BYTES + 2 + length + 1 + chainIdLength + ADDRESS_BYTES
  }
  if (schema === 2 && marker >= 3) return MARKER_BYTES + 3 + data[marker - 3]! * 256 + length
  return undefined
}

/**
 * Codes are 7-bit ASCII (ERC-8021); bytes beyond that are somebody else's data. In CBOR a service
 * code may be anything.
 */
function isReadable(attribution: Attribution.Attribution): boolean {
  return codesOf(attribution).every((code) => typeof code === 'string' && ASCII_CODE.test(code))
}

/** All codes of an attribution, in the order app, wallet, services for schema 2. */
export function codesOf(attribution: Attribution.Attribution): string[] {
  if ('codes' in attribution && attribution.codes) return [...attribution.codes]
  const { appCode, walletCode, serviceCodes } = attribution as Attribution.AttributionSchemaId2
  return [appCode, walletCode, ...(serviceCodes ?? [])].filter((code) => code !== undefined)
}
