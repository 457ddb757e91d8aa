import { X509Certificate } from 'node:crypto'
import 'reflect-metadata'
import * as peculiar from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { createCertificateChain, createSimRoot } from './certificate-chain.ts'
import { integer, objectIdentifier, time, tlv } from './der.ts'
import { issueCertificate } from './issue-certificate.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const rng = seededRng('certificates')
/** 2026-11-21T12:00:00Z. */
const NOW = 1_795_262_400_000
/** 2050-01-01T00:00:00Z. */
const YEAR_2050 = 2_524_608_000_000
const HOUR = 3_600_000

describe('DER', () => {
  test.each([
    ['a short length', tlv(4, new Uint8Array(0x7f)), '047f'],
    ['a length of one byte', tlv(4, new Uint8Array(0x80)), '048180'],
    ['a length of two bytes', tlv(4, new Uint8Array(0x100)), '04820100'],
    ['an integer with its high bit set', integer(Uint8Array.of(0x80)), '02020080'],
    ['an integer with leading zeros', integer(Uint8Array.of(0, 0, 5)), '020105'],
    ['zero', integer(Uint8Array.of(0)), '020100'],
    ['an object identifier', objectIdentifier('1.2.840.10045.4.3.3'), '06082a8648ce3d040303'],
    ['a time before 2050', time(NOW), `170d${hex(Buffer.from('261121120000Z'))}`],
    ['a time after', time(YEAR_2050), `180f${hex(Buffer.from('20500101000000Z'))}`],
  ])('given %s, then these are its first bytes', (_what, encoded, expected) => {
    expect(hex(encoded).slice(0, expected.length)).toBe(expected)
  })
})

describe('a certificate', () => {
  const root = createSimRoot({ clock: new VirtualClock(NOW), rng })
  const leaf = issueCertificate({
    commonName: 'leaf',
    notBefore: NOW,
    notAfter: NOW + HOUR,
    pathLength: 'none',
    issuer: root,
    rng,
  })

  test('given one, then OpenSSL reads and verifies it', () => {
    const certificate = new X509Certificate(leaf.certificate)
    const issuer = new X509Certificate(root.certificate)
    expect(certificate.subject).toBe('O=rollbed simulation\nCN=leaf')
    expect(certificate.checkIssued(issuer)).toBe(true)
    expect(certificate.verify(root.publicKey)).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(issuer.ca).toBe(true)
    expect(certificate.validFromDate.getTime()).toBe(NOW)
    expect(certificate.validToDate.getTime()).toBe(NOW + HOUR)
  })

  test('given a role, then it carries the extensions of that role', () => {
    const ca = issueCertificate({
      commonName: 'ca',
      notBefore: NOW,
      notAfter: NOW + HOUR,
      pathLength: 2,
      issuer: root,
      rng,
    })
    const read = (der: Uint8Array) => {
      const certificate = new peculiar.X509Certificate(Uint8Array.from(der))
      const constraints = certificate.getExtension(peculiar.BasicConstraintsExtension)
      const usage = certificate.getExtension(peculiar.KeyUsagesExtension)
      const authority = certificate.getExtension(peculiar.AuthorityKeyIdentifierExtension)
      return {
        ca: constraints?.ca,
        pathLength: constraints?.pathLength,
        usages: usage?.usages,
        critical: constraints?.critical && usage?.critical,
        issuerKey: authority?.keyId,
      }
    }
    const subjectKey = new peculiar.X509Certificate(Uint8Array.from(root.certificate)).getExtension(
      peculiar.SubjectKeyIdentifierExtension,
    )?.keyId
    const { keyCertSign, cRLSign, digitalSignature } = peculiar.KeyUsageFlags
    expect(read(ca.certificate)).toEqual({
      ca: true,
      pathLength: 2,
      usages: keyCertSign | cRLSign,
      critical: true,
      issuerKey: subjectKey,
    })
    expect(read(leaf.certificate)).toMatchObject({
      ca: false,
      pathLength: undefined,
      usages: digitalSignature,
      issuerKey: subjectKey,
    })
  })

  test('given the root, then it does not look like one of Amazon', () => {
    expect(new X509Certificate(root.certificate).subject).not.toMatch(/aws|amazon|nitro/i)
  })
})

describe('a chain', () => {
  test('given one that runs out, then it is issued again by then, and no earlier', async () => {
    const clock = new VirtualClock(NOW)
    const root = createSimRoot({ clock, rng })
    const chain = createCertificateChain({ root, moduleId: 'i-1-enc2', clock, rng })
    const first = chain.current()
    expect(first.bundle).toHaveLength(4)

    await clock.advance(2.8 * HOUR)
    expect(chain.current()).toEqual(first)

    await clock.advance(0.1 * HOUR)
    const second = chain.current()
    expect(second.bundle).toEqual(first.bundle)
    expect(second.leaf.certificate).not.toEqual(first.leaf.certificate)

    await clock.advance(21.05 * HOUR)
    const third = chain.current()
    expect(third.bundle.slice(0, 3)).toEqual(first.bundle.slice(0, 3))
    expect(third.bundle[3]).not.toEqual(first.bundle[3])

    await clock.advance(400 * 24 * HOUR)
    const fourth = chain.current()
    expect(fourth.bundle[0]).toEqual(root.certificate)
    expect(fourth.bundle[1]).not.toEqual(first.bundle[1])
    for (const der of [...fourth.bundle, fourth.leaf.certificate]) {
      const { validFromDate, validToDate } = new X509Certificate(der)
      expect(validFromDate.getTime()).toBeLessThanOrEqual(clock.now())
      expect(validToDate.getTime()).toBeGreaterThan(clock.now())
    }
  })

  test('given any time, then none of its certificates outlives its issuer', async () => {
    const clock = new VirtualClock(NOW)
    const root = createSimRoot({ clock, rng })
    const chain = createCertificateChain({ root, moduleId: 'i-1-enc2', clock, rng })
    let cutShort = 0
    // Steps that do not divide a lifetime, so that a leaf is due shortly before its issuer ends.
    for (let step = 0; step < 30; step++) {
      const { leaf, bundle } = chain.current()
      const ends = [...bundle, leaf.certificate].map((der) =>
        new X509Certificate(der).validToDate.getTime(),
      )
      expect(ends).toEqual(ends.toSorted((a, b) => b - a))
      if (ends[4] === ends[3]) cutShort++
      await clock.advance(0.9 * HOUR)
    }
    expect(cutShort).toBeGreaterThan(0)
  })
})
