import { size, slice } from 'viem'
import { expectProposed, letItLookAtL1 } from '../../callers/brought-claims.ts'
import {
  blocksOnL2,
  firstGame,
  moveAnchor,
  moveAnchorToFirst,
  sealMore,
} from '../../callers/change-l1.ts'
import {
  answerLastFirst,
  leaveOutRoot,
  putOnOtherBranch,
  takeSafeHeadBack,
} from '../../callers/change-nodes.ts'
import {
  expectNextProposal,
  expectNoWrongChild,
  expectRightProposal,
  untilBehindAnchor,
} from '../../callers/expect-right-call.ts'
import { rightProposal } from '../../callers/right-claims.ts'
import {
  expectSentOnce,
  expectTaken,
  lookAgain,
  proofsOf,
  proposalsOf,
  SEEN_WITHIN,
  timesAsked,
  triedProposalsOf,
  unseenWhileProving,
  whileProving,
} from '../../callers/sent-calls.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { cannotJudge } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { Hex } from '../../wire/hex.ts'

const BLOCK_AND_PARENT = 52
const SIGNATURE_DIGITS = 130
/** L1 blocks, one a second, in which a claim is proven and brought. */
const CLAIMED_IN = 6
/** L2 blocks behind a game, which are no other game yet. */
const BLOCKS_BEHIND = 3

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
    id: 'caller.proposer.anchor.01',
    title:
      'Where the anchor is a game, the interval behind it is claimed, with that game for its parent',
    area: 'proposer',
    rules: ['PIPE-25'],
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
    title:
      'No proof is asked for of blocks whose batches L1 does not have yet, and none with a root that L2 dropped meanwhile',
    area: 'proposer',
    rules: ['PRV-REQ-03', 'PRV-REQ-12', 'PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Enclaves derive blocks from L1: such a proof keeps one busy, and fails. Until then they may be others tomorrow.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const goOn = await caller.world.fault('chain:l2', 'batcher_silent')
        await moveAnchor(caller, false)
        const comeBack = putOnOtherBranch(caller, await blocksOnL2(caller))
        await letItLookAtL1(caller)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
        comeBack()
        await goOn()
        const { transaction } = await expectRightProposal(caller)
        await expectTaken(caller, transaction, 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.unsafe.02',
    title:
      'No proof is asked for of a block that was safe, once the safe head has gone back behind it',
    area: 'proposer',
    rules: ['PRV-REQ-03', 'PRV-REQ-12', 'PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'L1 was reorganized, or the node derives its chain anew: what was safe may be another block now.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        const { end } = await rightProposal(caller)
        leaveOutRoot(caller, end)
        await letItLookAtL1(caller)
        const back = takeSafeHeadBack(caller, end)
        // Who asked for the safe head before it went back has learnt of no root when this is over.
        await caller.untilOver(SEEN_WITHIN)
        back.replace()
        await lookAgain(caller)
        await caller.untilOver(SEEN_WITHIN)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
        back.comeBack()
        const { transaction } = await expectRightProposal(caller)
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
    id: 'caller.proposer.next-claim.02',
    title: 'A claim behind its own game that is no anchor yet, if it brings one, is upon that game',
    area: 'proposer',
    rules: ['PIPE-25'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A game becomes the anchor after days: until then the next one names it itself.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        caller.start()
        const first = await expectProposed(caller)
        await sealMore(caller, await blocksOnL2(caller))
        await lookAgain(caller)
        await caller.untilQuiet(CLAIMED_IN)
        await expectNoWrongChild(caller, first, await firstGame(caller))
      })
    },
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
    id: 'caller.proposer.exists.02',
    title: 'A claim that somebody else brings unseen, while L1 errs, is not sent again',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Who cannot look again before it sends does not know whether the game is there.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await unseenWhileProving(caller, () => caller.world.play('honest-game'))
        expectEqual(
          proposalsOf(caller).map(({ rootClaim }) => rootClaim),
          [],
          'claims sent though their game exists',
        )
      })
    },
  },
  {
    id: 'caller.proposer.exists.03',
    title: 'No proof is asked for of a claim that somebody else has brought',
    area: 'proposer',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Its game is there: a proof keeps an enclave busy for nothing.',
    async run(t) {
      await withCaller(t, 'proposer', async (caller) => {
        await caller.world.play('honest-game')
        await letItLookAtL1(caller)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
      })
    },
  },
  {
    id: 'caller.proposer.false-game.01',
    title:
      'Where somebody has claimed other roots of the same blocks, the true claim is brought beside it',
    area: 'proposer',
    rules: ['PIPE-25'],
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
])

function rootsOf(extraData: Hex): Hex[] {
  const count = (size(extraData) - BLOCK_AND_PARENT) / 32
  return Array.from({ length: count }, (_, index) => {
    const at = BLOCK_AND_PARENT + 32 * index
    return slice(extraData, at, at + 32)
  })
}
