import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectError } from '../../matchers/expect-error.ts'
import {
  agreedClaim,
  anonymousProof,
  capitalsProof,
  denseProof,
  earlyHead,
  firstBlocksProof,
  laterHeadProof,
  laterRangeProof,
  otherProposerProof,
  proofsAtOnce,
  proofsForMany,
  provableRange,
  provenBlock,
  rangeProof,
  reorderedProof,
  singleProof,
  stridelessProof,
  unknownHead,
  unnumberedProof,
  wrongAgreedRoot,
  wrongAgreedRootOfOne,
  wrongBlock,
  wrongClaim,
  wrongFrontClaim,
  wrongNumber,
  wrongParent,
  zeroClaim,
  zeroClaimAgain,
} from '../../scenes/proofs.ts'
import { expectRawSignature } from '../../spec/expect-raw-signature.ts'
import { expectProof } from '../../spec/proof-json.ts'
import { RESOURCE_UNAVAILABLE } from '../../spec/resource-unavailable.ts'
import { errorIn, type RpcReply, resultOf } from '../../wire/json-rpc-client.ts'

const TIMEOUT = 180_000

async function read(t: CaseContext) {
  const range = await t.scene(provableRange)
  const { request, reply } = await t.scene(rangeProof)
  return { range, request, ...expectProof(resultOf(reply, 'prover_prove'), t) }
}

function expectOwnSignature({ aggregate, proposals }: ReturnType<typeof expectProof>) {
  for (const { signature } of proposals)
    expectDifferent(aggregate.signature, signature, 'aggregate.signature')
}

/** The block that `singleProof` proves is proved, whoever signs now. */
async function expectSameBlock(t: CaseContext, reply: RpcReply): Promise<void> {
  const [one, other] = [(await t.scene(singleProof)).reply, reply].map((each) => {
    const { proposals } = expectProof(resultOf(each, 'prover_prove'), t)
    return proposals.map((proposal) => ({ ...proposal, signature: '0x' }))
  })
  expectEqual(other, one, 'proposals but for their signatures')
}

function expectNothingSigned(reply: RpcReply, code?: number) {
  const error = expectError(reply, 'reply', code)
  expectThat(!/0x[0-9a-f]{130}/.test(reply.http.text), 'no signature', error.message, 'reply')
  return error
}

export const cases = defineCases([
  {
    id: 'prover.prove.shape.01',
    title: 'prover_prove answers with Tee, an aggregate and one proposal per block',
    area: 'prover',
    rules: ['PRV-REQ-01', 'PRV-RES-01', 'PRV-RES-02', 'PRV-RES-03', 'PRV-REQ-07', 'PRV-PROP-01'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'A range of three blocks, with roots computed from public L2 reads.',
    async run(t) {
      const { range, proposals } = await read(t)
      expectEqual(proposals.length, range.roots.length, 'proposals.length')
    },
  },
  {
    id: 'prover.prove.blocks-in-order.01',
    title: 'Proposals come in block order, up to and including the claimed block',
    area: 'prover',
    rules: ['PRV-RES-05', 'PRV-PROP-05', 'PRV-REQ-05', 'PRV-REQ-07'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'The agreed block is the parent of the first; the claimed one is the last.',
    async run(t) {
      const { range, request, aggregate, proposals } = await read(t)
      const wanted = range.roots.map((_, index) => range.agreedNumber + 1 + index)
      const numbers = proposals.map((proposal) => proposal.l2_block_number)
      expectEqual(numbers, wanted, 'proposals[].l2_block_number')
      expectEqual(aggregate.l2_block_number, request.claimed_l2_block_number, 'aggregate')
    },
  },
  {
    id: 'prover.prove.roots.01',
    title: 'Every output root is the one computed from the L2 headers',
    area: 'prover',
    rules: ['PRV-PROP-02', 'PRV-REQ-12', 'PRV-RES-04', 'PIPE-17'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Re-execution must arrive at the roots the chain has.',
    async run(t) {
      const { range, request, aggregate, proposals } = await read(t)
      expectEqual(
        proposals.map((proposal) => proposal.output_root),
        [...range.roots],
        'proposals[].output_root',
      )
      expectEqual(aggregate.output_root, request.claimed_l2_output_root, 'aggregate.output_root')
    },
  },
  {
    id: 'prover.prove.previous-roots.01',
    title: 'Each previous root is the root before, the first the agreed one',
    area: 'prover',
    rules: ['PRV-RES-06', 'PRV-RES-07', 'PRV-PROP-06', 'PRV-RES-04', 'PRV-REQ-06'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'The chain of roots is what makes per-block proposals add up to the aggregate.',
    async run(t) {
      const { range, aggregate, proposals } = await read(t)
      expectEqual(
        proposals.map((proposal) => proposal.prev_output_root),
        [range.agreedRoot, ...range.roots.slice(0, -1)],
        'proposals[].prev_output_root',
      )
      expectEqual(aggregate.prev_output_root, range.agreedRoot, 'aggregate.prev_output_root')
    },
  },
  {
    id: 'prover.prove.l1-origin.01',
    title: 'l1_origin_hash and l1_origin_number repeat the requested L1 head',
    area: 'prover',
    rules: ['PRV-PROP-03', 'PRV-PROP-04', 'PRV-REQ-03', 'PRV-REQ-04'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Derivation is bounded by that block, for every proposal of the range.',
    async run(t) {
      const { request, aggregate, proposals } = await read(t)
      for (const proposal of [aggregate, ...proposals]) {
        expectEqual(proposal.l1_origin_hash, request.l1_head, 'l1_origin_hash')
        expectEqual(proposal.l1_origin_number, request.l1_head_number, 'l1_origin_number')
      }
    },
  },
  {
    id: 'prover.prove.member-order.01',
    title: 'Members of a request in another order make no other request',
    area: 'prover',
    rules: ['PRV-REQ-01'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'An object of JSON has no order (RFC 8259, section 4).',
    run: async (t) => expectSameBlock(t, (await t.scene(reorderedProof)).reply),
  },
  {
    id: 'prover.prove.capital-digits.01',
    title: 'Hashes in capital digits are the same hashes',
    area: 'prover',
    rules: ['PRV-REQ-01', 'PRV-REQ-03', 'PRV-REQ-12'],
    level: 'should',
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Hex is lenient on its way in (OPEN-57): a claim is compared as bytes.',
    run: async (t) => expectSameBlock(t, (await t.scene(capitalsProof)).reply),
  },
  {
    id: 'prover.prove.by-name.01',
    title: 'A request that is named is proved as one in its place is',
    area: 'prover',
    rules: ['PRV-REQ-01'],
    level: 'should',
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'JSON-RPC 2.0, section 4.2, has both; the name is `request` (OPEN-58).',
    async run(t) {
      const { request } = await t.scene(singleProof)
      await t.scene(proofsAtOnce).catch(() => undefined)
      const reply = await t.prover.call('prover_prove', { request })
      if (errorIn(reply).code === RESOURCE_UNAVAILABLE) cannotJudge('The prover is busy.')
      await expectSameBlock(t, reply)
    },
  },
  {
    id: 'prover.prove.l1-head-number.01',
    title: 'Without l1_head_number proposals have the number of l1_head, and another is refused',
    area: 'prover',
    rules: ['PRV-REQ-04'],
    level: 'should',
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'It is the number of that block; one that nobody checks says anything.',
    async run(t) {
      const { l1HeadNumber } = await t.scene(provableRange)
      const { aggregate } = expectProof(resultOf((await t.scene(unnumberedProof)).reply), t)
      expectEqual(aggregate.l1_origin_number, l1HeadNumber, 'l1_origin_number')
      expectError((await t.scene(wrongNumber)).reply, 'reply to another number', -32000)
    },
  },
  {
    id: 'prover.prove.no-proposer.01',
    title: 'A request without proposer is error -32602',
    area: 'prover',
    rules: ['PRV-REQ-08'],
    level: 'should',
    profiles: ['spec'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'A proof over the zero address can be submitted by nobody; deployed hosts make one.',
    async run(t) {
      expectError((await t.scene(anonymousProof)).reply, 'reply', -32602)
    },
  },
  {
    id: 'prover.prove.no-interval.01',
    title: 'A request without intermediate_block_interval is error -32602',
    area: 'prover',
    rules: ['PRV-REQ-09'],
    level: 'should',
    profiles: ['spec'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'A stride that nobody named cannot be what the caller meant; deployed hosts take zero.',
    async run(t) {
      expectError((await t.scene(stridelessProof)).reply, 'reply', -32602)
    },
  },
  {
    id: 'prover.prove.config-hash.01',
    title: 'All proposals carry one config hash, in every proof of the chain',
    area: 'prover',
    rules: ['PRV-PROP-07', 'PIPE-15'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'It belongs to the chain and is compiled into the enclave.',
    async run(t) {
      const { aggregate, proposals } = await read(t)
      const other = expectProof(resultOf((await t.scene(singleProof)).reply), t).aggregate
      for (const { config_hash } of [...proposals, other]) {
        expectEqual(config_hash, aggregate.config_hash, 'config_hash')
      }
      expectDifferent(aggregate.config_hash, `0x${'00'.repeat(32)}`, 'config_hash')
    },
  },
  {
    id: 'prover.prove.one-block.01',
    title: 'For one block the aggregate equals the only proposal',
    area: 'prover',
    rules: ['PRV-PROP-08', 'PRV-REQ-07', 'PRV-RES-01'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Signature included: nothing is signed twice.',
    async run(t) {
      const { reply } = await t.scene(singleProof)
      const { aggregate, proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
      expectEqual(proposals.length, 1, 'proposals.length')
      expectEqual(aggregate, proposals[0], 'aggregate_proposal')
    },
  },
  {
    id: 'prover.prove.first-blocks.01',
    title: 'The first blocks of the chain are proved in their order from the root of block 0',
    area: 'prover',
    rules: ['PRV-RES-04', 'PRV-RES-05', 'PRV-RES-07', 'PRV-PROP-06'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale:
      'Zero is a number: the range after it has a root before, as all have; and 10 comes after 9.',
    async run(t) {
      const { request, reply } = await t.scene(firstBlocksProof)
      if ('error' in reply.body) notApplicable('It does not prove the beginning of the chain.')
      const { aggregate, proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
      const { agreed_l2_output_root: agreed, claimed_l2_block_number: end } = request
      expectEqual(
        proposals.map(({ l2_block_number }) => l2_block_number),
        Array.from({ length: end }, (_, index) => index + 1),
        'proposals[].l2_block_number',
      )
      const before = [aggregate.prev_output_root, proposals[0]!.prev_output_root]
      expectEqual(before, [agreed, agreed], 'prev_output_root of the aggregate and the first block')
    },
  },
  {
    id: 'prover.prove.own-signature.01',
    title: 'The aggregate of several blocks has a signature of its own',
    area: 'prover',
    rules: ['PRV-PROP-09'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Its journal differs from every per-block one, so its signature must too.',
    async run(t) {
      expectOwnSignature(await read(t))
    },
  },
  {
    id: 'prover.prove.interval.01',
    title: 'Another interval changes the aggregate signature and no per-block one',
    area: 'prover',
    rules: ['PRV-REQ-09', 'PRV-REQ-02'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'The stride is in the aggregate journal alone; signing is deterministic (OPEN-55).',
    async run(t) {
      const sparse = await read(t)
      const dense = expectProof(resultOf((await t.scene(denseProof)).reply), t)
      expectDifferent(dense.aggregate.signature, sparse.aggregate.signature, 'aggregate.signature')
      expectEqual(dense.proposals, sparse.proposals, 'proposals')
    },
  },
  {
    id: 'prover.prove.image-hash-informational.01',
    title: 'A wrong image_hash, and one of zeros, is proved all the same',
    area: 'prover',
    rules: ['PRV-REQ-10', 'PRV-REQ-11'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'The member informs; routing asks the chain.',
    async run(t) {
      for (const wrong of [rangeProof, otherProposerProof])
        expectProof(resultOf((await t.scene(wrong)).reply, 'prover_prove'), t)
    },
  },
  {
    id: 'prover.prove.wrong-claim.01',
    title: 'A claim one bit off is error -32000 with a message, and nothing signed',
    area: 'prover',
    rules: ['PRV-REQ-12', 'PIPE-18', 'SAFE-03', 'ERR-14', 'ERR-15'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'The one promise of the service: it signs only what re-execution shows.',
    async run(t) {
      const { message } = expectNothingSigned((await t.scene(wrongClaim)).reply, -32000)
      expectThat(/claim|root/i.test(message), 'what failed: the claim', message, 'error.message')
    },
  },
  {
    id: 'prover.prove.wrong-claim.02',
    title:
      'A wrong claim of one block is not signed: wrong at its front alone, all zeros, or the agreed root',
    area: 'prover',
    rules: ['PRV-REQ-12', 'PIPE-18', 'SAFE-03'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'Every claim is compared, whole: also the shortest, and one that looks like none.',
    async run(t) {
      for (const claim of [wrongFrontClaim, zeroClaim, agreedClaim])
        expectNothingSigned((await t.scene(claim)).reply)
    },
  },
  {
    id: 'prover.prove.refused-again.01',
    title: 'A wrong claim that is made once more is refused once more, with -32000 and what failed',
    area: 'prover',
    rules: ['ERR-14', 'ERR-15', 'PIPE-18', 'SAFE-03'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'Callers try again, and nothing may be kept of the first time: neither a proof nor another error.',
    async run(t) {
      const { message } = expectNothingSigned((await t.scene(zeroClaimAgain)).reply, -32000)
      expectThat(/claim|root/i.test(message), 'what failed: the claim', message, 'error.message')
    },
  },
  {
    id: 'prover.prove.wrong-agreed-root.01',
    title: 'A wrong agreed root gives an error and nothing signed, of one block and of several',
    area: 'prover',
    rules: ['PRV-REQ-06', 'SAFE-03'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale: 'It is the state execution starts from; the host may not replace it.',
    async run(t) {
      for (const agreed of [wrongAgreedRoot, wrongAgreedRootOfOne])
        expectNothingSigned((await t.scene(agreed)).reply, -32000)
    },
  },
  {
    id: 'prover.prove.wrong-block.01',
    title:
      'The root of one block, claimed for a later one, is error -32000 and nothing is signed, proven before or not',
    area: 'prover',
    rules: ['PRV-REQ-07', 'PRV-REQ-12', 'PIPE-18', 'SAFE-03', 'ERR-14'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'A claim is of a root at a number; who looks up one by the other proves another one.',
    async run(t) {
      for (const claim of [wrongBlock, provenBlock])
        expectNothingSigned((await t.scene(claim)).reply, -32000)
    },
  },
  {
    id: 'prover.prove.wrong-parent.01',
    title: 'The hash of the first block in place of its parent gives no proof of the range',
    area: 'prover',
    rules: ['PRV-REQ-05', 'SAFE-03'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale: 'It names the block before the range, and no other.',
    async run(t) {
      expectNothingSigned((await t.scene(wrongParent)).reply)
    },
  },
  {
    id: 'prover.prove.later-range.01',
    title:
      'A range that begins one block later, and ends at the same, is proved from there, by a signature of its own',
    area: 'prover',
    rules: ['PRV-REQ-05', 'PRV-RES-03', 'PRV-RES-04', 'PRV-RES-07', 'PRV-PROP-09'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale: 'Where a range begins is of the request; two blocks are more than one.',
    async run(t) {
      const { agreedNumber, roots } = await t.scene(provableRange)
      const { reply } = await t.scene(laterRangeProof)
      const { aggregate, proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
      const wanted = roots.slice(1).map((root, index) => [agreedNumber + 2 + index, root])
      expectEqual(
        proposals.map(({ l2_block_number, output_root }) => [l2_block_number, output_root]),
        wanted,
        'number and root of each proposal',
      )
      for (const [at, { prev_output_root }] of [aggregate, proposals[0]!].entries())
        expectEqual(
          prev_output_root,
          roots[0],
          `${at ? 'proposals[0]' : 'aggregate'}.prev_output_root`,
        )
      expectOwnSignature({ aggregate, proposals })
    },
  },
  {
    id: 'prover.prove.many-proposers.01',
    title:
      'A range proved for one proposer after another is the same, with 65 bytes for each signature',
    area: 'prover',
    rules: ['SIG-01', 'SIG-02', 'PRV-RES-02', 'PRV-RES-03'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale:
      'Of a hundred signatures one has an r or s that begins with a zero byte, which a number does not keep.',
    async run(t) {
      let first: unknown
      for (const { reply } of await t.scene(proofsForMany)) {
        const { aggregate, proposals } = expectProof(resultOf(reply, 'prover_prove'), t)
        const all = [aggregate, ...proposals]
        for (const [index, { signature }] of all.entries())
          expectRawSignature(signature, index === 0 ? 'the aggregate' : `proposals[${index - 1}]`)
        const unsigned = all.map((each) => ({ ...each, signature: '0x' }))
        first ??= unsigned
        expectEqual(unsigned, first, 'the proof but for its signatures')
      }
    },
  },
  {
    id: 'prover.prove.l1-head-unknown.01',
    title: 'From an L1 head that is no block of L1 nothing is proved, though its number is one',
    area: 'prover',
    rules: ['PRV-REQ-03', 'SAFE-03'],
    needs: ['prover', 'driver'],
    timeout: TIMEOUT,
    rationale:
      'A reorganization puts another block at the same number; a proof is of the one that was named.',
    async run(t) {
      expectNothingSigned((await t.scene(unknownHead)).reply)
    },
  },
  {
    id: 'prover.prove.l1-head-early.01',
    title: 'A block whose batch lies above l1_head is not proved',
    area: 'prover',
    rules: ['PRV-REQ-03', 'SAFE-03'],
    needs: ['prover', 'driver', 'rpc'],
    timeout: TIMEOUT,
    rationale:
      'l1_head bounds the derivation: asked with the L1 origin, which is older than the batch.',
    async run(t) {
      expectNothingSigned((await t.scene(earlyHead)).reply)
    },
  },
  {
    id: 'prover.prove.l1-head-later.01',
    title: 'With a later l1_head the same block is proved, and its proposal has that head',
    area: 'prover',
    rules: ['PRV-REQ-03', 'PRV-PROP-03', 'PRV-PROP-04'],
    needs: ['prover', 'driver', 'rpc', 'l1'],
    timeout: TIMEOUT,
    rationale: 'A proof that is kept for a range is one of another head.',
    async run(t) {
      const { request, reply } = await t.scene(laterHeadProof)
      const { roots } = await t.scene(provableRange)
      const { aggregate } = expectProof(resultOf(reply, 'prover_prove'), t)
      const proven = [aggregate.output_root, aggregate.l1_origin_hash, aggregate.l1_origin_number]
      expectEqual(proven, [roots[0], request.l1_head, request.l1_head_number], 'root and L1 head')
    },
  },
  {
    id: 'prover.prove.bad-params.01',
    title: 'A request without its required members is error -32602',
    area: 'prover',
    rules: ['PRV-REQ-01'],
    level: 'should',
    needs: ['prover'],
    rationale: 'Checked before any witness is collected.',
    async run({ prover }) {
      expectError(await prover.call('prover_prove', []), 'reply to nothing', -32602)
      expectError(await prover.call('prover_prove', [{}]), 'reply to {}', -32602)
      expectError(await prover.call('prover_prove', [{ l1_head: 5 }]), 'reply', -32602)
    },
  },
])
