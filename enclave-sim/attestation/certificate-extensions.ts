/**
 * The two X.509 extensions a chain stands on, which node:crypto does not show: whether a key may
 * sign certificates, and how many may follow (RFC 5280, 4.2.1.3 and 4.2.1.9).
 */
import { AttestationInvalid } from './attestation-invalid.ts'

export interface CertificateExtensions {
  isAuthority: boolean
  /** Absent: no limit. */
  pathLength: number | undefined
  mayCertify: boolean
  maySign: boolean
}

interface Tlv {
  tag: number
  value: Uint8Array
}

const BASIC_CONSTRAINTS = '551d13'
const KEY_USAGE = '551d0f'
/** Bit 0 and bit 5 of KeyUsage, from the high end of its first byte. */
const DIGITAL_SIGNATURE = 0x80
const KEY_CERT_SIGN = 0x04
const BOOLEAN = 0x01
const INTEGER = 0x02
const EXTENSIONS = 0xa3

/**
 * @param der one certificate
 * @throws AttestationInvalid for broken DER, an extension given twice, or an unknown critical one
 */
export function readCertificateExtensions(der: Uint8Array): CertificateExtensions {
  const [certificate] = readAll(der)
  const [toBeSigned] = readAll(certificate?.value)
  const wrapper = readAll(toBeSigned?.value).find(({ tag }) => tag === EXTENSIONS)
  const [list] = wrapper ? readAll(wrapper.value) : []

  const values = new Map<string, Uint8Array>()
  for (const extension of list ? readAll(list.value) : []) {
    const [oid, ...rest] = readAll(extension.value)
    const name = Buffer.from(oid?.value ?? []).toString('hex')
    const critical = rest[0]?.tag === BOOLEAN && rest[0].value[0] !== 0
    if (critical && name !== BASIC_CONSTRAINTS && name !== KEY_USAGE)
      throw new AttestationInvalid('certificate has an unknown critical extension')
    if (values.has(name)) throw new AttestationInvalid('certificate repeats an extension')
    values.set(name, rest.at(-1)?.value ?? new Uint8Array(0))
  }

  const [constraints] = readAll(values.get(BASIC_CONSTRAINTS))
  const fields = readAll(constraints?.value)
  const [usage] = readAll(values.get(KEY_USAGE))
  const limit = fields.find(({ tag }) => tag === INTEGER)?.value
  // The first byte of a BIT STRING counts the unused bits.
  const bits = usage?.value[1] ?? 0
  return {
    isAuthority: fields[0]?.tag === BOOLEAN && fields[0].value[0] !== 0,
    pathLength: limit && toNumber(limit),
    mayCertify: (bits & KEY_CERT_SIGN) !== 0,
    maySign: (bits & DIGITAL_SIGNATURE) !== 0,
  }
}

/** The values one after another in `bytes`. */
function readAll(bytes: Uint8Array = new Uint8Array(0)): Tlv[] {
  const values: Tlv[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const tag = bytes[offset]!
    let length = bytes[offset + 1] ?? Number.NaN
    let start = offset + 2
    if (length >= 0x80) {
      const lengthBytes = bytes.subarray(start, start + (length & 0x7f))
      if (lengthBytes.length === 0 || lengthBytes.length > 3) throw broken()
      length = toNumber(lengthBytes)
      start += lengthBytes.length
    }
    if (!(start + length <= bytes.length)) throw broken()
    values.push({ tag, value: bytes.subarray(start, start + length) })
    offset = start + length
  }
  return values
}

function toNumber(bigEndian: Uint8Array): number {
  return bigEndian.reduce((sum, byte) => sum * 256 + byte, 0)
}

const broken = () => new AttestationInvalid('certificate is not DER')
