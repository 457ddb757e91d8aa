import { CaseFailure, notApplicable } from '../../case-failure.ts'
import type { Scene } from '../../conformance-case.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { enclaveIdentities, readIdentities } from '../../scenes/enclave-identities.ts'
import {
  type AskedProof,
  denseProof,
  longIntervalProof,
  otherProposerProof,
  provableRange,
  rangeProof,
} from '../../scenes/proofs.ts'
import { HALF_ORDER } from '../../spec/half-order.ts'
import { type Journal, packJournal, recoverSigner, sampleRoots } from '../../spec/journal.ts'
import { journalOf } from '../../spec/journal-of.ts'
import { JOURNAL_VARIANTS } from '../../spec/journal-variants.ts'
import { openRootReadings } from '../../spec/open-root-readings.ts'
import { expectProof } from '../../spec/proof-json.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const TIMEOUT = 180_000

async function read(t: CaseContext, scene: Scene<AskedProof>) {
  const range = await t.scene(provableRange)
  const { request, reply } = await t.scene(scene)
  const identities = readIdentities(await t.scene(enclaveIdentities))
  return { range, request, identities, ...expectProof(resultOf(reply, 'prover_prove'), t) }
}

type Identities = ReturnType<typeof readIdentities>

/**
 * The aggregate is signed with its sampled roots. Where it is signed with those of another reading that
 * the specification allows, that is said and breaks no rule.
 *
 * @throws CaseFailure
 */
async function expectAggregateSigned(
  t: CaseContext,
  { range, request, aggregate, identities }: Awaited<ReturnType<typeof read>>,
): Promise<Hex> {
  const interval = request.intermediate_block_interval
  const { agreedNumber: start, agreedRoot: previous } = range
  const journalWith = (roots: readonly Hex[]) =>
    journalOf(request, aggregate, { start, previous, roots })
  const chosen = journalWith(sampleRoots(range.roots, interval))
  const { signature } = aggregate
  if (signerOf(chosen, signature, identities) === undefined) {
    for (const { open, says, roots } of openRootReadings({ start, roots: range.roots, interval })) {
      const signer = signerOf(journalWith(roots), signature, identities)
      if (signer === undefined) continue
      t.note(`The intermediate roots are read otherwise than here: ${says} (${open}).`)
      return signer
    }
  }
  return expectSigned(chosen, signature, identities, 'aggregate_proposal')
}

/** The enclave that signed the journal with its own image hash in it. */
function signerOf(
  journal: Omit<Journal, 'teeImageHash'>,
  signature: Hex,
  identities: Identities,
): Hex | undefined {
  return identities.find(({ signer, imageHash }) => {
    const bytes = packJournal({ ...journal, teeImageHash: imageHash })
    return recoverSigner(bytes, signature) === signer
  })?.signer
}

/** The signature recovers to an enclave whose image hash the journal holds. @throws CaseFailure */
async function expectSigned(
  journal: Omit<Journal, 'teeImageHash'>,
  signature: Hex,
  identities: Identities,
  at: string,
): Promise<Hex> {
  const known = signerOf(journal, signature, identities)
  if (known) return known
  const seen = identities.map(({ imageHash }) =>
    recoverSigner(packJournal({ ...journal, teeImageHash: imageHash }), signature),
  )
  const fits = await findVariant(journal, signature, identities)
  throw new CaseFailure({
    at: `signer of ${at}`,
    expected: identities.map(({ signer }) => signer),
    actual: seen.map((signer) => signer ?? 'no signature'),
    hint: fits
      ? `The signature fits this layout instead: ${fits}.`
      : 'The signature fits no layout we know.',
  })
}

async function findVariant(
  journal: Omit<Journal, 'teeImageHash'>,
  signature: Hex,
  identities: Identities,
): Promise<string | undefined> {
  for (const { signer, imageHash } of identities) {
    for (const { name, pack } of JOURNAL_VARIANTS) {
      const bytes = pack({ ...journal, teeImageHash: imageHash })
      if ((await recoverSigner(bytes, signature)) === signer) return name
    }
  }
  return undefined
}

export const cases = defineCases([
  {
    id: 'journal.layout.per-block.01',
    title: 'Every per-block signature fits the 196-byte journal rebuilt from the answer',
    area: 'journal',
    rules: [
      'JRN-01',
      'JRN-02',
      'JRN-03',
      'JRN-04',
      'JRN-05',
      'JRN-06',
      'JRN-07',
      'JRN-08',
      'JRN-10',
      'JRN-11',
      'JRN-12',
      'JRN-13',
      'JRN-17',
      'JRN-21',
      'JRN-22',
      'SIG-03',
      'SIG-05',
      'PIPE-19',
      'SAFE-04',
    ],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'Packed by viem, no roots, start one below the end; any other byte recovers another signer.',
    async run(t) {
      const { range, request, proposals, identities } = await read(t, rangeProof)
      for (const [index, proposal] of proposals.entries()) {
        const previous = index === 0 ? range.agreedRoot : range.roots[index - 1]!
        const start = range.agreedNumber + index
        const journal = journalOf(request, proposal, { start, previous, roots: [] })
        await expectSigned(journal, proposal.signature, identities, `proposals[${index}]`)
      }
    },
  },
  {
    id: 'journal.layout.aggregate.01',
    title: 'The aggregate signature fits the journal with every second root',
    area: 'journal',
    rules: [
      'JRN-02',
      'JRN-09',
      'JRN-10',
      'JRN-11',
      'JRN-14',
      'JRN-15',
      'JRN-16',
      'PRV-PROP-10',
      'PRV-PROP-11',
      'SIG-05',
      'PIPE-20',
      'SAFE-04',
    ],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Three blocks at interval two: one root, of the second block (OPEN-50).',
    async run(t) {
      await expectAggregateSigned(t, await read(t, rangeProof))
    },
  },
  {
    id: 'journal.layout.every-root.01',
    title: 'At interval one the aggregate journal holds the root of every block',
    area: 'journal',
    rules: ['JRN-09', 'JRN-15', 'JRN-16'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Several roots show their order and that no count stands before them.',
    async run(t) {
      await expectAggregateSigned(t, await read(t, denseProof))
    },
  },
  {
    id: 'journal.layout.long-interval.01',
    title: 'At an interval of more than 32 bits the aggregate journal holds no root',
    area: 'journal',
    rules: ['JRN-15', 'JRN-16', 'PRV-REQ-09'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale:
      'It is beyond the range, and two where somebody keeps 32 bits of it; to refuse it is open (OPEN-52).',
    async run(t) {
      const { reply } = await t.scene(longIntervalProof)
      if ('error' in reply.body) notApplicable('It refuses an interval beyond the range.')
      await expectAggregateSigned(t, await read(t, longIntervalProof))
    },
  },
  {
    id: 'journal.layout.proposer.01',
    title: 'Another proposer is in every journal, and image_hash of the request in none',
    area: 'journal',
    rules: ['JRN-03', 'PRV-REQ-08', 'PRV-REQ-10', 'PIPE-09', 'JRN-18'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'On chain, msg.sender must be the proposer that was signed for.',
    async run(t) {
      const proof = await read(t, otherProposerProof)
      const { range, request, proposals, identities } = proof
      await expectAggregateSigned(t, proof)
      const one = { start: range.agreedNumber, previous: range.agreedRoot, roots: [] }
      const first = journalOf(request, proposals[0]!, one)
      await expectSigned(first, proposals[0]!.signature, identities, 'proposals[0]')
    },
  },
  {
    id: 'journal.signature.form.01',
    title: 'Signatures are 65 bytes r, s, v with v 0 or 1',
    area: 'journal',
    rules: ['SIG-01', 'SIG-02', 'SIG-04'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Callers add 27 themselves; a signature that has it already breaks them.',
    async run(t) {
      const { aggregate, proposals } = await read(t, rangeProof)
      for (const { signature } of [aggregate, ...proposals]) {
        expectEqual((signature.length - 2) / 2, 65, 'bytes of the signature')
        const v = Number.parseInt(signature.slice(-2), 16)
        expectThat(v === 0 || v === 1, '0 or 1', v, 'v')
      }
    },
  },
  {
    id: 'journal.signature.low-s.01',
    title: 's is in the lower half of the curve order',
    area: 'journal',
    rules: ['SIG-02', 'SIG-07'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'TEEVerifier recovers as EIP-2 has it and takes no other: callers may turn v, but not s, so such a proof is none (OPEN-55).',
    async run(t) {
      const { aggregate, proposals } = await read(t, rangeProof)
      for (const { signature } of [aggregate, ...proposals]) {
        const s = BigInt(`0x${signature.slice(66, 130)}`)
        expectThat(s > 0n && s <= HALF_ORDER, `at most ${HALF_ORDER}`, s, 's')
      }
    },
  },
  {
    id: 'journal.signature.one-key.01',
    title: 'All signatures of an answer come from one enclave key',
    area: 'journal',
    rules: ['SIG-05', 'HOST-RPC-15', 'ENC-START-04'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Per block and aggregate alike: one key, made at boot.',
    async run(t) {
      const proof = await read(t, rangeProof)
      const { range, request, proposals, identities } = proof
      const signers = new Set<Hex>()
      for (const [index, proposal] of proposals.entries()) {
        const previous = index === 0 ? range.agreedRoot : range.roots[index - 1]!
        const spans = { start: range.agreedNumber + index, previous, roots: [] }
        const journal = journalOf(request, proposal, spans)
        const at = `proposals[${index}]`
        signers.add(await expectSigned(journal, proposal.signature, identities, at))
      }
      signers.add(await expectAggregateSigned(t, proof))
      expectEqual(signers.size, 1, 'signers of one answer')
    },
  },
])
