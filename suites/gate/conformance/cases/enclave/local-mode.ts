import { CaseFailure } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectListening, inFolder, readKey, withBoot } from '../../hosts/boot-enclave.ts'
import { HOST_NEEDS, HOST_TIMEOUT } from '../../hosts/run-host.ts'
import { expectThat } from '../../matchers/expect-equal.ts'
import { provableRange } from '../../scenes/proofs.ts'
import { recordedWitness } from '../../scenes/recorded-witness.ts'
import { expectResponse, proveFrame } from '../../spec/enclave-messages.ts'
import { addressOfKey, keccak256 } from '../../spec/hash.ts'
import { type Journal, packJournal, recoverSigner, sampleRoots } from '../../spec/journal.ts'
import { journalOf } from '../../spec/journal-of.ts'
import type { Hex } from '../../wire/hex.ts'

const PROVES_WITHIN = 60_000
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`
const HASH_OF_ZERO_PCR0 = keccak256(new Uint8Array(48))

/** @throws CaseFailure */
function expectZeroImage(
  journal: Omit<Journal, 'teeImageHash'>,
  signature: Hex,
  signer: Hex,
  at: string,
): void {
  const signedOver = (teeImageHash: Hex) =>
    recoverSigner(packJournal({ ...journal, teeImageHash }), signature)
  const recovered = signedOver(ZERO_HASH)
  if (recovered === signer) return
  throw new CaseFailure({
    at: `signer of ${at}`,
    expected: signer,
    actual: recovered ?? 'no signature',
    ...(signedOver(HASH_OF_ZERO_PCR0) === signer && {
      hint: 'The journal holds keccak256 of 48 zero bytes instead of 32 zero bytes.',
    }),
  })
}

export const cases = defineCases([
  {
    id: 'enclave.local-mode.zero-image.01',
    title: 'In local mode every signature fits a journal whose image hash is 32 zero bytes',
    area: 'enclave',
    rules: ['JRN-19'],
    needs: ['localEnclaveCommand', 'driver', ...HOST_NEEDS],
    timeout: HOST_TIMEOUT,
    rationale: 'Booted without a security module, it proves three blocks from a recorded witness.',
    async run(t) {
      const range = await t.scene(provableRange)
      const { request, pairs } = await t.scene(recordedWitness)
      const local = { answer: undefined, launch: t.launchLocalEnclave }
      await inFolder((folder) =>
        withBoot(t, { folder, ...local }, async (boot) => {
          expectListening(boot)
          const signer = addressOfKey(await readKey(boot))
          const { payloads } = await boot.client.send(proveFrame(pairs), { within: PROVES_WITHIN })
          const proof = expectResponse(payloads[0], 'reply to Prove', t)
          expectThat(proof.kind === 'proof', 'a proof', proof, 'reply to Prove')

          for (const [index, proposal] of proof.proposals.entries()) {
            const previous = range.roots[index - 1] ?? range.agreedRoot
            const block = { start: range.agreedNumber + index, previous, roots: [] }
            const journal = journalOf(request, proposal, block)
            expectZeroImage(journal, proposal.signature, signer, `proposals[${index}]`)
          }
          const roots = sampleRoots(range.roots, request.intermediate_block_interval)
          const whole = { start: range.agreedNumber, previous: range.agreedRoot, roots }
          const journal = journalOf(request, proof.aggregate, whole)
          expectZeroImage(journal, proof.aggregate.signature, signer, 'aggregate_proposal')
        }),
      )
    },
  },
])
