import { sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from 'cborg'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attest } from '#enclave/security-module/sim/attest'
import {
  createCertificateChain,
  createSimRoot,
} from '#enclave/security-module/sim/certificate-chain'
import { issueCertificate } from '#enclave/security-module/sim/issue-certificate'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { decodeAttestation } from './decode-attestation.ts'
import { verifyAttestation } from './verify-attestation.ts'

const HOUR = 3_600_000
const clock = new VirtualClock()
const now = clock.now()
const rng = seededRng('attestation')
const root = createSimRoot({ clock, rng })
const { leaf, bundle } = createCertificateChain({
  root,
  moduleId: 'i-1-enc2',
  clock,
  rng,
}).current()

const content = {
  moduleId: 'i-1-enc2',
  timestamp: now,
  pcrs: Array.from({ length: 16 }, (_, index) => new Uint8Array(48).fill(index)),
  certificate: leaf.certificate,
  bundle,
  publicKey: Buffer.alloc(65, 4),
  userData: null,
  nonce: Buffer.from('challenge'),
}
const document = Buffer.from(attest(content, leaf.privateKey))
const trust = { at: now, root: root.certificate }

/** Offset of `part` in the document. */
const offsetOf = (part: Uint8Array) => document.indexOf(part)
const flipped = (offset: number) => {
  const copy = Buffer.from(document)
  copy[offset]! ^= 1
  return copy
}

/** Signs any payload bytes as the enclave's certificate would. */
function signed(payload: Uint8Array, header = Buffer.from('a1013822', 'hex')) {
  const toBeSigned = encode(['Signature1', header, Buffer.alloc(0), payload])
  const signature = sign('sha384', toBeSigned, {
    key: leaf.privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return encode([header, new Map(), payload, signature])
}

const payloadOf = () => {
  const [, , payload] = decode(document, { useMaps: true }) as [unknown, unknown, Uint8Array]
  return payload
}

describe('an attestation that is verified (ATT-01..08)', () => {
  test('given a document of the module, then what the module bound into it comes back', () => {
    const attestation = verifyAttestation(document, { ...trust, nonce: content.nonce })
    expect(attestation).toMatchObject({ moduleId: 'i-1-enc2', timestamp: now, userData: null })
    expect(Buffer.from(attestation.publicKey!)).toEqual(content.publicKey)
    expect(attestation.pcrs.get(3)).toEqual(content.pcrs[3])
    expect(attestation.pcrs.size).toBe(16)
  })

  test('given the COSE tag, then it is read as well', () => {
    expect(verifyAttestation(Buffer.concat([Buffer.of(0xd2), document]), trust).timestamp).toBe(now)
  })

  test('given a map of indefinite length, as real modules write since 2025, then it is read', () => {
    const definite = Buffer.from(payloadOf())
    expect(definite[0]).toBe(0xa9)
    const indefinite = Buffer.concat([Buffer.of(0xbf), definite.subarray(1), Buffer.of(0xff)])
    expect(verifyAttestation(signed(indefinite), trust).timestamp).toBe(now)
  })

  test('given no root, then nobody trusts it', () => {
    expect(() => verifyAttestation(document, { at: now })).toThrow('trusted root')
  })
})

describe('an attestation is refused', () => {
  const other = createSimRoot({ clock, rng })
  test.each([
    [
      'a flipped byte of the payload',
      flipped(offsetOf(Buffer.alloc(48, 7))),
      trust,
      'signature is wrong',
    ],
    ['a flipped byte of the signature', flipped(document.length - 1), trust, 'signature is wrong'],
    [
      'a flipped byte of the leaf',
      flipped(offsetOf(leaf.certificate) + leaf.certificate.length - 1),
      trust,
      'certificate 4',
    ],
    [
      'a flipped byte of an issuer',
      flipped(offsetOf(bundle[2]!) + bundle[2]!.length - 1),
      trust,
      'certificate 2',
    ],
    ['a flipped byte of the root', flipped(offsetOf(bundle[0]!) + 200), trust, 'trusted root'],
    ['another root', document, { at: now, root: other.certificate }, 'trusted root'],
    [
      'a leaf that ran out',
      document,
      { ...trust, at: now + 3 * HOUR + 1000 },
      'certificate 4 is expired',
    ],
    ['a chain of the future', document, { ...trust, at: now - HOUR }, 'not yet valid'],
    ['another nonce', document, { ...trust, nonce: Buffer.from('Challenge') }, 'nonce'],
    ['a nonce that nobody asked for', document, { ...trust, nonce: null }, 'nonce'],
    ['another algorithm', signed(payloadOf(), Buffer.from('a1013823', 'hex')), trust, 'ES384'],
    ['bytes behind it', Buffer.concat([document, Buffer.of(0)]), trust, 'not CBOR'],
    ['the wrong tag', Buffer.concat([Buffer.of(0xd1), document]), trust, 'not CBOR'],
    ['no bytes', Buffer.alloc(0), trust, 'not CBOR'],
    ['too many bytes', Buffer.alloc(20_000), trust, 'too large'],
    ['deep nesting', Buffer.alloc(17_000, 0x81), trust, 'not CBOR'],
  ] as const)('given %s, then it is refused', (_what, bytes, options, message) => {
    expect(() => verifyAttestation(bytes, options)).toThrow(message)
  })

  test('given none of the nonce that was asked for, then it is refused', () => {
    const silent = attest({ ...content, nonce: null }, leaf.privateKey)
    expect(verifyAttestation(silent, { ...trust, nonce: null }).nonce).toBeNull()
    expect(() => verifyAttestation(silent, { ...trust, nonce: content.nonce })).toThrow('nonce')
  })

  const issue = (pathLength: number | 'none', issuer = root) =>
    issueCertificate({
      commonName: `test ${pathLength}`,
      notBefore: now - 1000,
      notAfter: now + HOUR,
      pathLength,
      issuer,
      rng,
    })
  test('when a leaf signs, an authority signs the document, or the path is too long', () => {
    const end = issue('none')
    const below = issue('none', end)
    const by = (chain: (typeof root)[]) => {
      const last = chain.at(-1)!
      const certificates = chain.map(({ certificate }) => certificate)
      return attest(
        { ...content, certificate: last.certificate, bundle: certificates.slice(0, -1) },
        last.privateKey,
      )
    }
    expect(() => verifyAttestation(by([root, end, below]), trust)).toThrow('certificate 1')
    expect(() => verifyAttestation(by([root, issue(0)]), trust)).toThrow('may not sign documents')

    const first = issue(0)
    const second = issue(0, first)
    const tooLong = by([root, first, second, issue('none', second)])
    expect(() => verifyAttestation(tooLong, trust)).toThrow('certificate 1 has too many')
    expect(verifyAttestation(by([root, first, issue('none', first)]), trust).timestamp).toBe(now)
  })

  const change = (name: string, value: unknown) => {
    const payload = decode(payloadOf(), { useMaps: true }) as Map<string, unknown>
    if (value === undefined) payload.delete(name)
    else payload.set(name, value)
    return signed(encode(payload, { mapSorter: () => 0 }))
  }
  test.each([
    ['module_id', ''],
    ['digest', 'SHA256'],
    ['timestamp', 0],
    ['timestamp', 'now'],
    ['pcrs', new Map()],
    ['pcrs', new Map([[0, new Uint8Array(32)]])],
    ['pcrs', new Map([[32, new Uint8Array(48)]])],
    ['certificate', new Uint8Array(1025)],
    ['certificate', undefined],
    ['cabundle', []],
    ['cabundle', ['root']],
    ['public_key', new Uint8Array(0)],
    ['public_key', new Uint8Array(1025)],
    ['user_data', new Uint8Array(513)],
    ['nonce', new Uint8Array(513)],
    ['nonce', 'text'],
  ])('given a %s of %o, then it is refused', (name, value) => {
    expect(() => decodeAttestation(change(name, value))).toThrow('attestation:')
  })

  test('when a key of its map comes twice', () => {
    const payload = Buffer.from(payloadOf())
    payload[0] = 0xaa
    const twice = Buffer.concat([payload, Buffer.from('656e6f6e6365f6', 'hex')])
    expect(() => verifyAttestation(signed(twice), trust)).toThrow('not CBOR')
  })

  test('given any byte changed, then it is refused', () => {
    const byte = fc.record({
      at: fc.nat(document.length - 1),
      with: fc.integer({ min: 1, max: 255 }),
    })
    fc.assert(
      fc.property(byte, (change) => {
        const copy = Buffer.from(document)
        copy[change.at]! ^= change.with
        expect(() => verifyAttestation(copy, trust)).toThrow()
      }),
      { numRuns: 60 },
    )
  })
})

// A real document of an AWS enclave; it is not part of the project.
const sample = join(import.meta.dirname, '../../../shared/data/nitro_attestation.hex')
describe.skipIf(!existsSync(sample))('a real AWS document', () => {
  const real = existsSync(sample)
    ? Buffer.from(readFileSync(sample, 'utf8').trim(), 'hex')
    : Buffer.alloc(0)
  const at = 1_732_983_768_387

  test('given its own time and the pinned AWS root, then it verifies', () => {
    const attestation = verifyAttestation(real, { at, nonce: null })
    expect(attestation.moduleId).toBe('i-0de38b2b6853cc9e8-enc0193685e7fee7d85')
    expect(attestation.timestamp).toBe(at)
    expect(attestation.publicKey).toHaveLength(65)
    expect(Buffer.from(attestation.pcrs.get(0)!).toString('hex')).toBe(
      'ec74bfbe7f7445a6c7610e152935e028276f638042b74797b119648e13f7a3675796b721034c320f140ea001b41aeae2',
    )
  })

  test('given a time after its leaf ran out, then it is refused', () => {
    expect(() => verifyAttestation(real, { at: at + 4 * HOUR })).toThrow('certificate 4 is expired')
  })
})
