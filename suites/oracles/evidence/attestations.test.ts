import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeAttestation } from '#enclave/attestation/decode-attestation'
import { verifyAttestation } from '#enclave/attestation/verify-attestation'
import { holdEvidence } from './evidence.ts'

/** A folder with attestation documents of AWS, each as hex in a file `*.hex`. */
const directory = process.env.ROLLBED_ATTESTATIONS

test.skipIf(!directory)(
  'given documents of AWS in ROLLBED_ATTESTATIONS, when each is verified at its own time, then it holds under the pinned root',
  () => {
    const files = globSync('*.hex', { cwd: directory! })
    for (const file of files) {
      const bytes = Buffer.from(readFileSync(join(directory!, file), 'utf8').trim(), 'hex')
      const { timestamp } = decodeAttestation(bytes).attestation
      expect(verifyAttestation(bytes, { at: timestamp, nonce: null }).timestamp).toBe(timestamp)
      expect(() => verifyAttestation(bytes, { at: timestamp + 86_400_000, nonce: null })).toThrow(
        'expired',
      )
    }
    holdEvidence('attestations', {
      body: 'Attestation documents of AWS Nitro enclaves',
      source: 'public samples of AWS Nitro attestation',
      against: 'our verifier, with the root of AWS pinned',
      executor: null,
      counts: { 'documents that hold, and not a day later': files.length },
      leftOut: {},
    })
  },
)
