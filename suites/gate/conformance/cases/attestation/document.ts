import { sleep } from '#protocol/clock/clock'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import {
  enclaveIdentities,
  expectByteVectors,
  expectDocuments,
  NONCE,
  USER_DATA,
} from '../../scenes/enclave-identities.ts'
import { findBrokenLink, isSignedByLeaf } from '../../spec/cose-document.ts'

const HOUR = 3_600_000
/** Milliseconds; documents tell their time in them. */
const A_MOMENT = 200

async function read(t: CaseContext) {
  const identities = await t.scene(enclaveIdentities)
  return {
    keys: expectByteVectors(identities.keys, 'enclave_signerPublicKey'),
    bound: expectDocuments(identities.bound),
    bare: expectDocuments(identities.bare),
  }
}

const hex = (bytes: Uint8Array | null | undefined) => bytes && Buffer.from(bytes).toString('hex')

export const cases = defineCases([
  {
    id: 'attestation.cose.form.01',
    title: 'Each document is an ES384 COSE_Sign1, one for each enclave',
    area: 'attestation',
    rules: ['ATT-01', 'HOST-RPC-06', 'HOST-RPC-08'],
    needs: ['prover'],
    rationale: 'Raw bytes as the security module made them, not the inner payload.',
    async run(t) {
      const { keys, bare } = await read(t)
      expectEqual(bare.length, keys.length, 'documents')
      for (const { payload, signature } of bare) {
        expectEqual(signature.length, 96, 'bytes of the signature')
        expectEqual(payload.digest, 'SHA384', 'digest')
        expectThat(payload.module_id.length > 0, 'a module id', payload.module_id, 'module_id')
      }
    },
  },
  {
    id: 'attestation.cose.signature.01',
    title: 'The leaf certificate signed the document, and leads to the root of the bundle',
    area: 'attestation',
    rules: ['ATT-02', 'ATT-05'],
    needs: ['prover'],
    rationale: 'Checked by node:crypto; a document signed by the enclave key proves nothing.',
    async run(t) {
      const { bound, bare } = await read(t)
      for (const document of [...bound, ...bare]) {
        expectEqual(isSignedByLeaf(document), true, 'signature of the leaf')
        expectThat(document.payload.cabundle.length > 0, 'a chain', 0, 'cabundle.length')
        expectEqual(findBrokenLink(document.payload), undefined, 'certificate chain')
      }
    },
  },
  {
    id: 'attestation.document.public-key.01',
    title: 'The document binds the 65-byte key of its enclave',
    area: 'attestation',
    rules: ['ATT-03', 'HOST-RPC-08', 'HOST-RPC-05'],
    needs: ['prover'],
    rationale: 'This binding is why the registry may trust a signer.',
    async run(t) {
      const { keys, bound, bare } = await read(t)
      for (const documents of [bound, bare]) {
        expectEqual(
          documents.map(({ payload }) => hex(payload.public_key)),
          keys.map(hex),
          'public_key',
        )
      }
    },
  },
  {
    id: 'attestation.document.pcrs.01',
    title: 'The document holds PCR0 and the other registers, 48 bytes each',
    area: 'attestation',
    rules: ['ATT-04', 'ATT-09'],
    needs: ['prover'],
    rationale: 'PCR0 is the measurement of the image; verifiers may look at the others.',
    async run(t) {
      for (const { payload } of (await read(t)).bare) {
        expectThat(payload.pcrs.size > 1, 'more than PCR0', payload.pcrs.size, 'number of PCRs')
        for (const [index, value] of payload.pcrs) {
          expectEqual(value.length, 48, `bytes of PCR${index}`)
        }
        const pcr0 = payload.pcrs.get(0)
        expectThat(pcr0?.some((byte) => byte !== 0) === true, 'not zero', hex(pcr0), 'PCR0')
      }
    },
  },
  {
    id: 'attestation.document.timestamp.01',
    title: 'The timestamp is now, in milliseconds',
    area: 'attestation',
    rules: ['ATT-06'],
    needs: ['prover'],
    rationale: 'The registry refuses documents older than an hour.',
    async run(t) {
      for (const { payload } of (await read(t)).bare) {
        const age = Math.abs(t.clock.now() - Number(payload.timestamp))
        expectThat(age < HOUR, 'within an hour of now', payload.timestamp, 'timestamp')
      }
    },
  },
  {
    id: 'attestation.document.user-data.01',
    title: 'user_data is in every document byte for byte, and absent when not given',
    area: 'attestation',
    rules: ['ATT-07', 'HOST-RPC-06', 'HOST-RPC-11'],
    needs: ['prover'],
    rationale: 'A hash of it, or padding, binds something else.',
    async run(t) {
      const { bound, bare } = await read(t)
      const sent = hex(Uint8Array.from(USER_DATA))
      for (const { payload } of bound) expectEqual(hex(payload.user_data), sent, 'user_data')
      for (const { payload } of bare) expectEqual(payload.user_data ?? null, null, 'user_data')
    },
  },
  {
    id: 'attestation.document.empty.01',
    title: 'user_data of no bytes is in the document, and is not left out',
    area: 'attestation',
    rules: ['ATT-07'],
    level: 'should',
    needs: ['prover'],
    rationale:
      'Given and empty is another thing than not given; a security module tells them apart.',
    async run({ prover }) {
      const reply = await prover.call('enclave_signerAttestation', [[], null])
      for (const { payload } of expectDocuments(reply))
        expectEqual(payload.user_data && hex(payload.user_data), '', 'user_data')
    },
  },
  {
    id: 'attestation.document.nonce.01',
    title: 'Each enclave gets its own nonce, and none when none is given',
    area: 'attestation',
    rules: ['ATT-08', 'HOST-RPC-07', 'HOST-RPC-12', 'HOST-RPC-13'],
    needs: ['prover'],
    rationale: 'The registrar recognises its challenge in the document.',
    async run(t) {
      const { bound, bare } = await read(t)
      for (const [index, { payload }] of bound.entries()) {
        expectEqual(hex(payload.nonce), hex(Uint8Array.from([...NONCE, index])), 'nonce')
      }
      for (const { payload } of bare) expectEqual(payload.nonce ?? null, null, 'nonce')
    },
  },
  {
    id: 'attestation.document.fresh.01',
    title: 'Every call makes a new document',
    area: 'attestation',
    rules: ['ATT-11', 'ATT-12'],
    needs: ['prover'],
    rationale: 'A document made at boot or on a timer would come back twice.',
    async run(t) {
      const { bound, bare } = await read(t)
      for (const [index, document] of bare.entries()) {
        const again = Number(bound[index]?.payload.timestamp)
        const later = Number(document.payload.timestamp)
        expectThat(later >= again, `at or after ${again}`, later, 'timestamp of a later call')
        const same = hex(document.signature) === hex(bound[index]?.signature)
        expectEqual(same, false, 'one document for two calls')
      }
    },
  },
  {
    id: 'attestation.document.fresh.02',
    title: 'A call in the same words a moment later makes another document',
    area: 'attestation',
    rules: ['ATT-11', 'ATT-12'],
    needs: ['prover'],
    rationale: 'A document that is kept for a second answers a challenge that was not made for it.',
    async run({ prover, clock, signal }) {
      const ask = async () =>
        expectDocuments(await prover.call('enclave_signerAttestation', [null, null]))
      const before = await ask()
      await sleep(clock, A_MOMENT, signal)
      for (const [index, { signature }] of (await ask()).entries()) {
        const isSame = hex(signature) === hex(before[index]?.signature)
        expectEqual(isSame, false, `document ${index} is that of the call before`)
      }
    },
  },
])
