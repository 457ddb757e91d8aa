import { numberToHex, size, slice } from 'viem'
import {
  moveAnchor,
  moveAnchorToFirst,
  raiseBond,
  sealMore,
  startInDearGas,
} from '../../callers/change-l1.ts'
import { answerLastFirst, leaveOutRoot } from '../../callers/change-nodes.ts'
import {
  expectNextProposal,
  expectRightProposal,
  untilBehindAnchor,
} from '../../callers/expect-right-call.ts'
import { rightProposal } from '../../callers/right-claims.ts'
import {
  askBusyHost,
  askBusyL1,
  askedAgain,
  askRefusingHost,
  askRestartedHost,
  askSlowHost,
  askThroughCutLine,
  blockOf,
  expectSentOnce,
  expectTaken,
  proofsOf,
  proposalsOf,
  type SentProposal,
  sendBetweenBlocks,
  sendThroughRefusal,
  timesAsked,
  triedProposalsOf,
  whileProving,
} from '../../callers/sent-calls.ts'
import { takeOutOfL1 } from '../../callers/take-out-of-l1.ts'
import { CALLER_TIMEOUT, type WatchedCaller, withCaller } from '../../callers/with-caller.ts'
import { cannotJudge } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import type { ProofRequestJson } from '../../spec/proof-json.ts'
import type { Hex } from '../../wire/hex.ts'

const BLOCK_AND_PARENT = 52
const SIGNATURE_DIGITS = 130
/** L2 blocks behind a game, which are no other game yet. */
const BLOCKS_BEHIND = 3
/** L1 blocks, one a second, in which a proposer sends what it has a proof of. */
const QUIET_BLOCKS = 6
/** Milliseconds in which a proposer sees that its claim was taken. */
const SEEN_WITHIN = 5_000

export const cases = defineCases([
  {
    id: 'caller.proposer.proposal.01',
    title:
      'A proposer brings a proven claim to L1, once, in the form that L1 takes, whichever v the signature has',
    area: 'proposer',
    rules: ['PIPE-24', 'PIPE-25', 'SIG-06', 'PIPE-23', 'PRV-REQ-01'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The verifier takes the aggregate signature, with v raised, and the roots proven.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        // Half of all signatures end in 1: a v that is always 27 must not depend on chance.
        const goOn = caller.keepFromL1()
        await caller.signWith(1)
        caller.start()
        await expectRightProposal(caller)
        await caller.forget()
        goOn()
        await caller.signWith(0)
        caller.start()
        const proposal = await expectRightProposal(caller)
        const end = Number(slice(proposal.extraData, 0, 32))
        const proof = proofsOf(caller).findLast(
          ({ request }) => request.claimed_l2_block_number === end,
        )
        const roots = rootsOf(proposal.extraData)
        const step = (proof?.proposals.length ?? 0) / roots.length
        const proven = proof?.proposals.filter((_, index) => (index + 1) % step === 0)
        expectEqual(
          roots,
          proven?.map(({ output_root }) => output_root),
          'roots in extraData, against proposals[].output_root',
        )
        await expectTaken(caller, proposal.transaction, 'createWithInitData')
        await expectSentOnce(caller, () => proposalsOf(caller), 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.lost-signer.01',
    title: 'A proof that L1 refuses for its signer is thrown away, and another one brought',
    area: 'proposer',
    rules: ['PIPE-25', 'SIG-10'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A signer may be struck off while it proves: no waiting makes its proof good.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.loseSigner()
        caller.start()
        await askedAgain(caller, 'prover_prove')
        await untilOnL1(caller)
      })
    },
  },
  {
    id: 'caller.proposer.slow-block.01',
    title: 'A claim that waits twelve seconds for its block is not sent a second time',
    area: 'proposer',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A block of L1 takes that long; of two claims the second reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await sendBetweenBlocks(caller)
        // By whichever transaction of that nonce: who waits may offer more for its gas.
        await untilOnL1(caller)
        await expectSentOnce(caller, () => proposalsOf(caller), 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.anchor.01',
    title:
      'Where the anchor is a game, the interval behind it is claimed, with that game for its parent',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'The anchor that the chain started with is the right one for the first game alone.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await moveAnchor(caller)
        caller.start()
        const { transaction } = await expectRightProposal(caller)
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.unsafe.01',
    title: 'No proof is asked for of blocks whose batches L1 does not have yet',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'Enclaves derive blocks from L1: such a proof keeps one busy, and fails.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const goOn = await caller.world.fault('chain:l2', 'batcher_silent')
        await moveAnchor(caller, false)
        await letItLook(caller)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
        await goOn()
        const { transaction } = await expectRightProposal(caller)
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.missing-root.01',
    title:
      'While the rollup node does not tell the root to claim, no proof is asked for of another',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'What nobody told cannot be claimed: such a proof keeps an enclave busy, and fails.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const { end, roots } = await rightProposal(caller)
        const goOn = leaveOutRoot(caller, end)
        await letItLook(caller)
        goOn()
        const { transaction } = await expectRightProposal(caller)
        const claimed = caller.asked
          .filter(({ method }) => method === 'prover_prove')
          .map(({ params: [request] }) => (request as ProofRequestJson).claimed_l2_output_root)
        expectEqual(
          [...new Set(claimed)],
          roots.slice(-1),
          'claimed_l2_output_root of all requests',
        )
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.roots.01',
    title:
      'Where more blocks are safe than a game has, and the rollup node answers for the last of a game first, each root stays with its block',
    area: 'proposer',
    rules: ['PRV-REQ-07', 'PRV-REQ-12'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A chain goes on while a claim is made, and questions asked at once are answered in any order.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await sealMore(caller, BLOCKS_BEHIND)
        answerLastFirst(caller, (await rightProposal(caller)).end)
        caller.start()
        const { transaction } = await expectRightProposal(caller)
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.sender.01',
    title: 'The proof of the claim behind an anchor game, too, is for the account that brings it',
    area: 'proposer',
    rules: ['SIG-11'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'Who has several accounts brings each claim by the one that it was proven for.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await moveAnchor(caller)
        caller.start()
        // Whoever looks first whether L1 would take it need not say for whom.
        const made = () =>
          [...proposalsOf(caller), ...triedProposalsOf(caller)].find(
            ({ transaction: { from } }) => from !== undefined,
          )
        const { transaction, initData } = await untilBehindAnchor(caller, made)
        const rs = initData.slice(-SIGNATURE_DIGITS, -2)
        const proof =
          proofsOf(caller).findLast(({ aggregate }) => aggregate.signature.includes(rs)) ??
          cannotJudge('Its claim has no signature of a proof that the host gave.')
        expectEqual(
          transaction.from,
          proof.request.proposer.toLowerCase(),
          'sender, against proposer of the request',
        )
      })
    },
  },
  {
    id: 'caller.proposer.next-claim.01',
    title:
      'A claim behind its own game is proven from the parent, up to the end and by an L1 head of its own',
    area: 'proposer',
    rules: ['PRV-REQ-03', 'PRV-REQ-05', 'PRV-REQ-06', 'PRV-REQ-07'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'What was right for the first claim is right for no other: the parent, its hash, the end, and an L1 head that has the batches.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.start()
        const first = await expectProposed(caller)
        await moveAnchorToFirst(caller)
        await expectNextProposal(caller, first)
      })
    },
  },
  {
    id: 'caller.proposer.bond.01',
    title:
      'A claim is brought with the bond that L1 asks for now, though it was another before the proof',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The owner may set another bond at any time; L1 takes no other.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const bond = await whileProving(caller, () => raiseBond(caller))
        const { transaction } = await caller.until(`a claim with a bond of ${bond}`, () =>
          proposalsOf(caller).find(({ transaction: { value } }) => value === bond),
        )
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.refused-transaction.01',
    title: 'A transaction that L1 refuses for a reason that passes is sent again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Of several nodes behind one address one may be a block behind.',
    run: (t) => expectProposedThrough(t, sendThroughRefusal),
  },
  {
    id: 'caller.proposer.dear-gas.01',
    title: 'A claim is brought while gas on L1 is dear',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What gas costs is for L1 to say: a price written down once is too low one day.',
    run: (t) => expectProposedThrough(t, startInDearGas),
  },
  {
    id: 'caller.proposer.exists.01',
    title: 'A claim that somebody else brings during the proof is not sent again',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof takes minutes; a second game of one claim reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await whileProving(caller, () => caller.world.play('honest-game'))
        await caller.untilQuiet()
        expectEqual(
          proposalsOf(caller).map(({ rootClaim }) => rootClaim),
          [],
          'claims sent though their game exists',
        )
      })
    },
  },
  {
    id: 'caller.proposer.false-game.01',
    title:
      'Where somebody has claimed other roots of the same blocks, the true claim is brought beside it',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A game of these blocks is not this claim, and nothing true stands on a false one.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await caller.world.play('bad-root-first')
        caller.start()
        const { transaction } = await expectRightProposal(caller)
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.rotation.01',
    title: 'While signers of two images are valid, a proposer goes on',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A rotation takes hours; nobody may have to stop for it.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await caller.world.play('rotation-begins')
        caller.start()
        const { transaction } = await caller.until('a call of createWithInitData', () => {
          return proposalsOf(caller)[0]
        })
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.rotation.02',
    title: 'A proof that a rotation overtakes is not sent',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Once the next image is in force, L1 refuses what an enclave of the old one signed.',
    run: (t) => expectNothingSent(t, 'rotation-overlap'),
  },
  {
    id: 'caller.proposer.nullified.01',
    title: 'A proof is not sent to a verifier that was nullified while it was made',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Every TEE proof reverts then; a transaction would only cost gas.',
    run: (t) => expectNothingSent(t, 'nullified-verifier'),
  },
  {
    id: 'caller.proposer.expired-origin.01',
    title: 'A proof whose L1 origin became too old is thrown away, and the claim proven anew',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'The contract looks back only so far; an origin older than that can never be taken.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await whileProving(caller, () => caller.world.play('expired-origin'))
        await expectProposed(caller)
        const origins = new Set(proofsOf(caller).map(({ request }) => request.l1_head))
        expectThat(origins.size > 1, 'another one than before', [...origins], 'l1_head it asked by')
      })
    },
  },
  {
    id: 'caller.proposer.cut-proof.01',
    title: 'When the line to the host breaks in the middle of a proof, it is asked again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Hosts restart; half an answer is none.',
    run: (t) => expectProposedThrough(t, askThroughCutLine),
  },
  {
    id: 'caller.proposer.busy-host.01',
    title: 'A host that answers 503 at first is asked again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What stands before a host says so while none is ready, and not in JSON.',
    run: (t) => expectProposedThrough(t, askBusyHost),
  },
  {
    id: 'caller.proposer.busy-l1.01',
    title: 'An L1 that answers 503 at first is asked again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What stands before a node says so while none is ready, and not in JSON.',
    run: (t) => expectProposedThrough(t, askBusyL1),
  },
  {
    id: 'caller.proposer.refused-proof.01',
    title:
      'A host that answers an error at first is asked again, and nothing is sent without a proof',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof may take too long once; an error has no signature to bring to L1.',
    run: (t) => expectProposedThrough(t, askRefusingHost),
  },
  {
    id: 'caller.proposer.restarted-host.01',
    title: 'A host that dies with the proof, and comes back, is asked again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A host keeps no proofs: what was asked of the one before is lost.',
    run: (t) => expectProposedThrough(t, askRestartedHost),
  },
  {
    id: 'caller.proposer.slow-host.01',
    title: 'A proof that takes its time is waited for, and asked for once',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A host may take 1,740 s for a proof; each request is a proof more to make.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await askSlowHost(caller)
        await expectProposed(caller)
        expectEqual(timesAsked(caller, 'prover_prove'), 1, 'requests of prover_prove for one claim')
      })
    },
  },
  {
    id: 'caller.proposer.lost-answer.01',
    title: 'A claim whose answer from L1 is lost is not sent a second time',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'L1 has it though nobody said so: a second one reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.loseAnswer()
        caller.start()
        await caller.until('a call of createWithInitData', () => proposalsOf(caller)[0])
        await untilOnL1(caller)
        await expectSentOnce(caller, () => proposalsOf(caller), 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.l1-reorg.01',
    title: 'A claim that a reorganization of L1 takes out is brought again',
    area: 'proposer',
    rules: ['PIPE-25'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'What was in a block may be in none a moment later.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.start()
        await expectProposed(caller)
        const { disputeGameFactory } = caller.world.description.contracts
        const games = () => caller.read(disputeGameFactory, 'gameCount')
        const [{ transaction }] = proposalsOf(caller) as [SentProposal]
        await takeOutOfL1(caller, {
          blockOf: () => blockOf(caller, transaction.hash),
          // It looks at what it sent, in its own time.
          before: () => caller.untilOver(SEEN_WITHIN),
        })
        await caller.until('the game on L1 again', async () =>
          proposalsOf(caller).length > 1 && (await games()) === 1n ? true : undefined,
        )
      })
    },
  },
  {
    id: 'caller.proposer.l1-reorg.02',
    title: 'A proof whose L1 origin a reorganization takes out is not sent',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The contract looks for the origin at its height: L1 has another block there by now.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        // The batches are in blocks below.
        await caller.untilQuiet(2)
        const proving = caller.hold('prover_prove')
        let origin: ProofRequestJson | undefined
        await takeOutOfL1(caller, {
          async blockOf() {
            const number = Number(origin?.l1_head_number)
            const block = await caller.l1.result('eth_getBlockByNumber', [
              numberToHex(number),
              false,
            ])
            return (block as { hash: Hex } | null)?.hash === origin?.l1_head ? number : undefined
          },
          async before() {
            caller.start()
            await caller.until('a request of prover_prove', () => proving.reached() || undefined)
            origin = proofsOf(caller)[0]?.request
          },
        })
        proving.release()
        await caller.untilQuiet(QUIET_BLOCKS)
        const origins = proposalsOf(caller).map(({ initData }) => slice(initData, 1, 33))
        expectThat(
          !origins.includes(origin!.l1_head),
          'none that L1 has no more, such as that of the first proof',
          origins,
          'L1 origins in initData of what it sent',
        )
      })
    },
  },
])

/** What somebody else does while the proof is made leaves nothing to send. */
async function expectNothingSent(t: CaseContext, situation: string): Promise<void> {
  await withCaller(t, 'proposer', async (caller) => {
    await whileProving(caller, () => caller.world.play(situation))
    await caller.untilQuiet()
    expectEqual(proposalsOf(caller).length, 0, `calls of createWithInitData after ${situation}`)
  })
}

/** Starts it, and leaves it the time to ask for a proof. */
async function letItLook(caller: WatchedCaller): Promise<void> {
  caller.start()
  await caller.until('a call to L1', () => caller.begun.includes('eth_call') || undefined)
  await caller.untilOver(SEEN_WITHIN)
}

/** What is between it and the host does not keep a claim from L1. */
async function expectProposedThrough(
  t: CaseContext,
  ask: (caller: WatchedCaller) => Promise<void>,
): Promise<void> {
  await withCaller(t, 'proposer', async (caller) => {
    await ask(caller)
    await expectProposed(caller)
  })
}

function untilOnL1(caller: WatchedCaller): Promise<true> {
  const { disputeGameFactory } = caller.world.description.contracts
  return caller.until('the game on L1', async () =>
    (await caller.read(disputeGameFactory, 'gameCount')) === 1n ? true : undefined,
  )
}

async function expectProposed(caller: WatchedCaller): Promise<SentProposal> {
  const proposal = await caller.until('a call of createWithInitData', () => {
    return proposalsOf(caller)[0]
  })
  await expectTaken(caller, proposal.transaction, 'createWithInitData')
  return proposal
}

function rootsOf(extraData: Hex): Hex[] {
  const count = (size(extraData) - BLOCK_AND_PARENT) / 32
  return Array.from({ length: count }, (_, index) => {
    const at = BLOCK_AND_PARENT + 32 * index
    return slice(extraData, at, at + 32)
  })
}
