import { expectProposed, letItLookAtL1, untilOnL1 } from '../../callers/brought-claims.ts'
import { leaveOutRoot } from '../../callers/change-nodes.ts'
import { expectHeadNumbers, expectRightProposal } from '../../callers/expect-right-call.ts'
import { proofRequestIn } from '../../callers/proof-request-in.ts'
import { rightProposal } from '../../callers/right-claims.ts'
import {
  askBusyHost,
  askBusyL1,
  askedAgain,
  askRefusingHost,
  askRestartedHost,
  askSlowHost,
  askThroughCutLine,
  crashBetweenBlocks,
  expectSentOnce,
  expectTaken,
  loseAnswerBetweenBlocks,
  proposalsOf,
  sendBetweenBlocks,
  sendInDearGas,
  sendPastFullBlocks,
  sendThroughRefusal,
  timesAsked,
} from '../../callers/sent-calls.ts'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'

export const cases = defineCases([
  {
    id: 'caller.proposer.lost-signer.01',
    title: 'A proof that L1 refuses for its signer is thrown away, and another one brought',
    area: 'proposer',
    rules: ['PIPE-25', 'SIG-10'],
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
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A block of L1 takes that long; of two claims the second reverts and costs gas.',
    run: (t) => expectOneClaim(t, sendBetweenBlocks),
  },
  {
    id: 'caller.proposer.full-blocks.01',
    title: 'A claim that a dozen full blocks pass by is not sent a second time',
    area: 'proposer',
    rules: ['PIPE-23'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Blocks of L1 are full at times: what is in none yet waits, and a second claim reverts behind it.',
    run: (t) => expectOneClaim(t, sendPastFullBlocks),
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
        await letItLookAtL1(caller)
        goOn()
        const { transaction } = await expectRightProposal(caller)
        const claimed = caller.asked
          .filter(({ method }) => method === 'prover_prove')
          .map(({ params }) => proofRequestIn(params).claimed_l2_output_root)
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
    id: 'caller.proposer.refused-transaction.01',
    title: 'A transaction that L1 refuses for a reason that passes is sent again',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Of several nodes behind one address one may be a block behind.',
    run: (t) => expectProposedThrough(t, sendThroughRefusal),
  },
  {
    id: 'caller.proposer.dear-gas.01',
    title: 'A claim is brought where gas on L1 became dear while its proof was made',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What gas costs is for L1 to say: a price written down once is too low one day.',
    run: (t) => expectProposedThrough(t, sendInDearGas),
  },
  {
    id: 'caller.proposer.cut-proof.01',
    title: 'When the line to the host breaks in the middle of a proof, it is asked again',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Hosts restart; half an answer is none.',
    run: (t) => expectProposedThrough(t, askThroughCutLine),
  },
  {
    id: 'caller.proposer.busy-host.01',
    title: 'A host that answers 503 at first is asked again',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What stands before a host says so while none is ready, and not in JSON.',
    run: (t) => expectProposedThrough(t, askBusyHost),
  },
  {
    id: 'caller.proposer.busy-l1.01',
    title: 'An L1 that answers 503 at first is asked again',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
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
    rules: ['PIPE-25', 'PRV-REQ-04'],
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof may take too long once; an error has no signature to bring to L1.',
    run: (t) => expectProposedThrough(t, askRefusingHost),
  },
  {
    id: 'caller.proposer.restarted-host.01',
    title: 'A host that dies with the proof, and comes back, is asked again',
    area: 'proposer',
    rules: ['PIPE-25', 'PRV-REQ-04'],
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
        caller.loseAnswer('in a block')
        caller.start()
        await caller.until('a call of createWithInitData', () => proposalsOf(caller)[0])
        await untilOnL1(caller)
        await expectSentOnce(caller, () => proposalsOf(caller), 'createWithInitData')
      })
    },
  },
  {
    id: 'caller.proposer.lost-answer.02',
    title: 'The same where the answer is lost while the claim waits for its block',
    area: 'proposer',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'There is no game yet, and the account has a transaction more than its blocks tell of: a second one reverts behind it.',
    run: (t) => expectOneClaim(t, loseAnswerBetweenBlocks),
  },
  {
    id: 'caller.proposer.crash.01',
    title: 'A proposer that crashes while its claim waits for a block does not send it again',
    area: 'proposer',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['proposer'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'What it knew is gone; that a transaction of its account waits L1 tells.',
    run: (t) => expectOneClaim(t, crashBetweenBlocks),
  },
])

/** However long its transaction waits for a block, it makes no second one. */
async function expectOneClaim(
  t: CaseContext,
  send: (caller: WatchedCaller) => Promise<void>,
): Promise<void> {
  await withCaller(t, 'proposer', async (caller) => {
    await send(caller)
    // By whichever transaction of that nonce: who waits may offer more for its gas.
    await untilOnL1(caller)
    await expectSentOnce(caller, () => proposalsOf(caller), 'createWithInitData')
  })
}

/** What is between it and the host does not keep a claim from L1; each request names its L1 head by hash and number. */
async function expectProposedThrough(
  t: CaseContext,
  ask: (caller: WatchedCaller) => Promise<void>,
): Promise<void> {
  await withCaller(t, 'proposer', async (caller) => {
    await ask(caller)
    await expectProposed(caller)
    await expectHeadNumbers(caller)
  })
}
