import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bitString,
  boolean,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
} from '#enclave/security-module/sim/der'
import { readCertificateExtensions } from './certificate-extensions.ts'

/** A certificate with nothing but extensions: all the reader looks at. */
const certificate = (...extensions: Uint8Array[]) =>
  sequence(sequence(explicit(3, sequence(...extensions))))
const extension = (oid: string, value: Uint8Array, critical = true) =>
  sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(value))
const constraints = (...fields: Uint8Array[]) => extension('2.5.29.19', sequence(...fields))
const usage = (bits: number) => extension('2.5.29.15', bitString(Uint8Array.of(bits)))

describe('the extensions of a certificate', () => {
  // KeyUsage bits of RFC 5280: digitalSignature is bit 0 (0x80), keyCertSign bit 5 (0x04).
  test.each([
    [
      'an authority with a limit',
      [constraints(boolean(true), integer(Uint8Array.of(2))), usage(0x06)],
      { isAuthority: true, pathLength: 2, mayCertify: true, maySign: false },
    ],
    [
      'an authority with a limit of two bytes',
      [constraints(boolean(true), integer(Uint8Array.of(0x00, 0x80))), usage(0x04)],
      { isAuthority: true, pathLength: 128, mayCertify: true, maySign: false },
    ],
    [
      'an authority without a limit',
      [constraints(boolean(true)), usage(0x04)],
      { isAuthority: true, pathLength: undefined, mayCertify: true, maySign: false },
    ],
    [
      'an authority that may only sign documents',
      [constraints(boolean(true)), usage(0x80)],
      { isAuthority: true, pathLength: undefined, mayCertify: false, maySign: true },
    ],
    [
      'a leaf',
      [constraints(), usage(0x80)],
      { isAuthority: false, pathLength: undefined, mayCertify: false, maySign: true },
    ],
    [
      'a certificate without extensions',
      [],
      { isAuthority: false, pathLength: undefined, mayCertify: false, maySign: false },
    ],
  ])('given %s, then they are read', (_what, extensions, expected) => {
    expect(readCertificateExtensions(certificate(...extensions))).toEqual(expected)
  })

  test('given unknown ones, then they are refused when critical and ignored when not', () => {
    const unknown = (critical: boolean) =>
      certificate(extension('2.5.29.99', octetString(Uint8Array.of(1)), critical))
    expect(() => readCertificateExtensions(unknown(true))).toThrow('unknown critical extension')
    expect(readCertificateExtensions(unknown(false)).isAuthority).toBe(false)
  })

  test('given one that comes twice, then they are refused', () => {
    const twice = certificate(constraints(), constraints(boolean(true)))
    expect(() => readCertificateExtensions(twice)).toThrow('repeats an extension')
  })

  test('given bytes that are no DER, then they are refused as such, and nothing else is thrown', () => {
    const whole = certificate(constraints(boolean(true)), usage(0x04))
    for (let length = 1; length < whole.length; length++)
      expect(() => readCertificateExtensions(whole.subarray(0, length))).toThrow('not DER')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (garbage) => {
        try {
          readCertificateExtensions(garbage)
        } catch (error) {
          expect(error).toMatchObject({ code: 'ATTESTATION_INVALID' })
        }
      }),
    )
  })
})
