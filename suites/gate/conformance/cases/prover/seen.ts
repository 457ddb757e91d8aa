import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import { expectObject } from '../../matchers/expect-shape.ts'
import { outputRootOf } from '../../reads/output-root-of.ts'
import { enclaveIdentities, readIdentities } from '../../scenes/enclave-identities.ts'
import { proofsAtOnce } from '../../scenes/proofs.ts'
import { judgeEach } from '../../seen/judge-each.ts'
import type { SeenAnswer } from '../../seen/seen-answers.ts'
import { expectRawSignature } from '../../spec/expect-raw-signature.ts'
import type { RootReading } from '../../spec/open-root-readings.ts'
import { expectProof, type ProofJson, type ProofRequestJson } from '../../spec/proof-json.ts'
import { isBlockSigned, type ProvenRange, readingsOfAggregate } from '../../spec/signed-proof.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

const TIMEOUT = 180_000

/** A proof of the run, and what the chain itself says of its range. */
interface SeenProof extends ProofJson, Omit<SeenAnswer, 'result'> {
  request: ProofRequestJson
  agreedNumber: number
  /** Output roots from the agreed block to the claimed one, each from its own header. */
  roots: readonly Hex[]
}

/** A case that judges every proof of the run. */
const ofProofs = (
  about: Pick<ConformanceCase, 'id' | 'area' | 'title' | 'rules' | 'rationale'>,
  judge: (proof: SeenProof, t: CaseContext) => void | Promise<void>,
): ConformanceCase => ({
  ...about,
  needs: ['prover', 'rpc', 'driver'],
  judgesAll: true,
  timeout: TIMEOUT,
  async run(t) {
    await t.scene(proofsAtOnce)
    const answers = t.seenProver
      .to('prover_prove')
      .map(({ result, ...rest }) => ({ ...rest, result }))
    await judgeEach(answers, 'proofs', async (answer) => judge(await toProof(t, answer), t))
  },
})

async function toProof(t: CaseContext, answer: SeenAnswer): Promise<SeenProof> {
  const request = inLowerCase(requestOf(answer.params[0]))
  const agreed = await blockBy(t, 'eth_getBlockByHash', request.agreed_l2_head_hash)
  const agreedNumber = Number(expectQuantity(agreed.number, 'number of the agreed block'))
  const length = request.claimed_l2_block_number - agreedNumber + 1
  const roots = await Promise.all(
    Array.from({ length }, async (_, index) => {
      const number = `0x${(agreedNumber + index).toString(16)}`
      return outputRootOf(await blockBy(t, 'eth_getBlockByNumber', number))
    }),
  )
  return { ...answer, ...expectProof(answer.result, t), request, agreedNumber, roots }
}

/** Digits of a hash in either case are one hash. */
const inLowerCase = (request: ProofRequestJson): ProofRequestJson => ({
  ...request,
  l1_head: lower(request.l1_head),
  agreed_l2_head_hash: lower(request.agreed_l2_head_hash),
  agreed_l2_output_root: lower(request.agreed_l2_output_root),
  claimed_l2_output_root: lower(request.claimed_l2_output_root),
})
const lower = (hash: Hex) => hash.toLowerCase() as Hex

/** `[request]` or `{"request": …}` (OPEN-58). */
function requestOf(param: unknown): ProofRequestJson {
  const { request = param } = expectObject(param, 'params[0]')
  return request as ProofRequestJson
}

const blockBy = async ({ rpc }: CaseContext, method: string, selector: string) =>
  expectObject(await rpc.result(method, [selector, false]), `block ${selector}`)

export const cases = defineCases([
  ofProofs(
    {
      id: 'prover.prove.seen-chain.01',
      area: 'prover',
      title:
        'Every proof of the run has a proposal for each block of its range, one upon the other',
      rules: ['PRV-RES-03', 'PRV-RES-05', 'PRV-RES-06', 'PRV-RES-07', 'PRV-PROP-05', 'PRV-PROP-06'],
      rationale: 'Numbers rise by one from the agreed block; each root is the next one’s previous.',
    },
    ({ proposals, agreedNumber, request }) => {
      const { length } = proposals
      const numbers = proposals.map(({ l2_block_number }) => l2_block_number)
      const wanted = Array.from({ length }, (_, index) => agreedNumber + 1 + index)
      expectEqual(numbers, wanted, 'l2_block_number of each')
      expectEqual(length, request.claimed_l2_block_number - agreedNumber, 'proposals.length')
      const before = [
        request.agreed_l2_output_root,
        ...proposals.slice(0, -1).map(({ output_root }) => output_root),
      ]
      const previous = proposals.map(({ prev_output_root }) => prev_output_root)
      expectEqual(previous, before, 'prev_output_root of each')
    },
  ),
  ofProofs(
    {
      id: 'prover.prove.seen-roots.01',
      area: 'prover',
      title: 'Every output root of the run is that of the block as the node tells it',
      rules: ['PRV-PROP-02', 'PRV-PROP-06', 'PRV-RES-04', 'PIPE-17'],
      rationale: 'Hashed from state root, root of withdrawals and block hash of each header.',
    },
    ({ aggregate, proposals, roots }) => {
      expectEqual(
        proposals.map(({ output_root }) => output_root),
        roots.slice(1),
        'output_root of each',
      )
      const ends = [aggregate.prev_output_root, aggregate.output_root]
      expectEqual(ends, [roots[0], roots.at(-1)], 'roots of the aggregate')
    },
  ),
  ofProofs(
    {
      id: 'prover.prove.seen-origin.01',
      area: 'prover',
      title:
        'Every proposal of the run repeats the L1 head of its request, and all have one config hash',
      rules: ['PRV-PROP-03', 'PRV-PROP-04', 'PRV-PROP-05', 'PRV-PROP-07', 'PRV-REQ-07'],
      rationale: 'Whoever had asked, and beside whomever: the origin is of the request.',
    },
    ({ request, aggregate, proposals, params }, t) => {
      const all = [aggregate, ...proposals]
      const { l1_head_number } = requestOf(params[0])
      for (const [index, { l1_origin_hash, l1_origin_number }] of all.entries()) {
        const at = index === 0 ? 'aggregate_proposal' : `proposals[${index - 1}]`
        expectEqual(l1_origin_hash, request.l1_head, `${at}.l1_origin_hash`)
        // Without one in the request, a case of its own asks for it.
        if (typeof l1_head_number === 'number')
          expectEqual(l1_origin_number, l1_head_number, `${at}.l1_origin_number`)
      }
      const { claimed_l2_block_number: claimed } = request
      expectEqual(aggregate.l2_block_number, claimed, 'aggregate_proposal.l2_block_number')
      const [first] = t.seenProver.to('prover_prove')
      const { config_hash } = expectProof(first!.result, t).aggregate
      expectEqual(
        all.map((each) => each.config_hash),
        all.map(() => config_hash),
        'config_hash of each',
      )
    },
  ),
  ofProofs(
    {
      id: 'prover.prove.seen-aggregate.01',
      area: 'prover',
      title:
        'Every aggregate of one block is its proposal, and every other has a signature of its own',
      rules: ['PRV-PROP-08', 'PRV-PROP-09', 'PRV-RES-02'],
      rationale: 'At any interval: one block has nothing to sample, and a longer range is signed.',
    },
    ({ aggregate, proposals }) => {
      if (proposals.length === 1)
        return expectEqual(aggregate, proposals[0], 'aggregate_proposal of one block')
      const signatures = proposals.map(({ signature }) => signature)
      const isOwn = !signatures.includes(aggregate.signature)
      expectThat(isOwn, 'a signature of its own', aggregate.signature, 'aggregate.signature')
    },
  ),
  ofProofs(
    {
      id: 'journal.seen.aggregate.01',
      area: 'journal',
      title: 'Every aggregate of the run is signed for its own request, with its sampled roots',
      rules: [
        ...['JRN-02', 'JRN-03', 'JRN-04', 'JRN-09', 'JRN-21', 'SIG-01', 'SIG-03', 'SIG-05'],
        ...['JRN-14', 'JRN-16', 'JRN-18', 'PRV-PROP-10', 'PIPE-20', 'PRV-REQ-08'],
      ],
      rationale: 'By any reading of what the roots are; a signature of another proof is none.',
    },
    async ({ request, aggregate, ...of }, t) => {
      const identities = readIdentities(await t.scene(enclaveIdentities))
      const readings = readingsOfAggregate(identities, request, aggregate, rangeOf(of))
      expectEqual(readings.length > 0, true, 'the aggregate is signed by an enclave of the host')
    },
  ),
  ofProofs(
    {
      id: 'journal.seen.per-block.01',
      area: 'journal',
      title: 'Every per-block proposal of the run is signed for its own request',
      rules: [
        ...['JRN-03', 'JRN-04', 'JRN-12', 'JRN-13', 'JRN-18', 'SIG-03', 'SIG-05'],
        ...['PIPE-19', 'SAFE-04', 'PRV-REQ-08'],
      ],
      rationale: 'Proposer and L1 head are of the request; a proof of another one is no answer.',
    },
    async ({ request, proposals, ...of }, t) => {
      const identities = readIdentities(await t.scene(enclaveIdentities))
      for (const [index, proposal] of proposals.entries()) {
        const isSigned = isBlockSigned(identities, request, proposal, rangeOf(of), index)
        expectEqual(isSigned, true, `proposals[${index}] is signed by an enclave of the host`)
      }
    },
  ),
  ofProofs(
    {
      id: 'journal.seen.low-s.01',
      area: 'journal',
      title:
        'Every signature of the run is r, s in the lower half of the curve order, and v of 0 or 1',
      rules: ['SIG-01', 'SIG-02', 'SIG-04', 'SIG-07'],
      rationale: 'TEEVerifier takes no other s, and callers raise v by 27 (OPEN-55).',
    },
    ({ aggregate, proposals }) => {
      for (const [index, { signature }] of [aggregate, ...proposals].entries())
        expectRawSignature(signature, index === 0 ? 'the aggregate' : `proposals[${index - 1}]`)
    },
  ),
  {
    id: 'journal.seen.one-reading.01',
    area: 'journal',
    title: 'One reading of what the intermediate roots are fits every aggregate of the run',
    rules: ['JRN-15', 'JRN-16', 'PRV-REQ-09'],
    needs: ['prover', 'rpc', 'driver'],
    judgesAll: true,
    timeout: TIMEOUT,
    rationale:
      'Which one is open (OPEN-50, OPEN-51), but L1 rebuilds the journal by one: the same request has the same roots each time.',
    async run(t) {
      await t.scene(proofsAtOnce)
      const identities = readIdentities(await t.scene(enclaveIdentities))
      let left: readonly RootReading[] | undefined
      await judgeEach(t.seenProver.to('prover_prove'), 'proofs', async (answer) => {
        const { request, aggregate, ...of } = await toProof(t, answer)
        // Of one block it is the only proposal; and one that is signed for nothing is told elsewhere.
        if (of.proposals.length < 2) return
        const readings = readingsOfAggregate(identities, request, aggregate, rangeOf(of))
        if (readings.length === 0) return
        const both = left ? readings.filter((each) => left?.includes(each)) : readings
        const expected = `roots ${left?.join(', or ')}, as in the proofs before`
        expectThat(both.length > 0, expected, readings, 'intermediate roots of the aggregate')
        left = both
      })
    },
  },
  {
    id: 'prover.prove.at-once.01',
    area: 'prover',
    title: 'Two proofs that are asked for at once are each its own, and asked again the same one',
    rules: ['PRV-REQ-01', 'PRV-REQ-02', 'PRV-REQ-08', 'PRV-RES-02', 'PRV-RES-03'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'What is proven is the same whoever signs; another enclave may, and nonces may differ (OPEN-55). Each signature is opened by journal.seen.',
    async run(t) {
      for (const { reply, alone } of await t.scene(proofsAtOnce)) {
        const [one, other] = [reply, alone].map((each) => {
          const proof = expectProof(resultOf(each, 'prover_prove'), t)
          return [proof.aggregate, ...proof.proposals].map((all) => ({ ...all, signature: '0x' }))
        })
        expectEqual(one, other, 'the proof that was asked for beside others')
      }
    },
  },
])

function rangeOf({ agreedNumber, roots }: Pick<SeenProof, 'agreedNumber' | 'roots'>): ProvenRange {
  const [previous, ...after] = roots
  return { start: agreedNumber, previous: previous!, roots: after }
}
