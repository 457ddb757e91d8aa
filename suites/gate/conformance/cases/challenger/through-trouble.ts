import { keepBehind, keepUnfinal, putOnOtherBranch } from '../../callers/change-nodes.ts'
import {
  type BadGame,
  DECIDED_WITHIN,
  expectNullified,
  letItLookAtGame,
  nullification,
  playBadGame,
  untilNullified,
} from '../../callers/disputed-games.ts'
import { expectRightRequests } from '../../callers/expect-right-call.ts'
import { rightDispute } from '../../callers/right-claims.ts'
import {
  askBusyHost,
  askBusyL1,
  askedAgain,
  askRefusingHost,
  askRefusingL1,
  askRestartedHost,
  askSlowHost,
  askThroughCutLine,
  crashBetweenBlocks,
  expectSentOnce,
  expectTaken,
  lookAgain,
  loseAnswerBetweenBlocks,
  nullificationsOf,
  sendBetweenBlocks,
  sendInDearGas,
  sendPastFullBlocks,
  sendThroughRefusal,
  timesAsked,
} from '../../callers/sent-calls.ts'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { cannotJudge } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'

export const cases = defineCases([
  {
    id: 'caller.challenger.behind.01',
    title: 'A block that the L2 node does not have yet is no wrong root',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A node may be behind the one of the proposer: what it has not, it cannot judge.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = await playBadGame(caller, 'bad-root-last')
        const goOn = keepBehind(caller, await endOfFirstInterval(caller, bad))
        await letItLookAtGame(caller, bad)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
        goOn()
        await expectNullified(caller, bad)
      })
    },
  },
  {
    id: 'caller.challenger.other-branch.01',
    title: 'A game is judged by the blocks that L2 has now, not by one that it had before',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'L2 has reorganizations, too: a root that was worked out once may be of no block.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = await playBadGame(caller, 'bad-root-last')
        const goOn = putOnOtherBranch(caller, await endOfFirstInterval(caller, bad))
        await letItLookAtGame(caller, bad)
        goOn()
        await expectTaken(caller, (await nullification(caller)).transaction, 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.cut-proof.01',
    title: 'When the line to the host breaks in the middle of a proof, it is asked again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Hosts restart, and a wrong root has only days until it is paid out.',
    run: (t) => expectDisputeThrough(t, askThroughCutLine),
  },
  {
    id: 'caller.challenger.busy-host.01',
    title: 'A host that answers 503 at first is asked again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What stands before a host says so while none is ready, and not in JSON.',
    run: (t) => expectDisputeThrough(t, askBusyHost),
  },
  {
    id: 'caller.challenger.busy-l1.01',
    title: 'An L1 that answers 503 at first is asked again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A game that was not read is not known to be true.',
    run: (t) => expectDisputeThrough(t, askBusyL1),
  },
  {
    id: 'caller.challenger.refused-proof.01',
    title:
      'A host that answers an error at first is asked again, and nothing is sent without a proof',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof may take too long once; an error has no signature to bring to L1.',
    run: (t) => expectDisputeThrough(t, askRefusingHost),
  },
  {
    id: 'caller.challenger.restarted-host.01',
    title: 'A host that dies with the proof, and comes back, is asked again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A host keeps no proofs: what was asked of the one before is lost.',
    run: (t) => expectDisputeThrough(t, askRestartedHost),
  },
  {
    id: 'caller.challenger.requests.01',
    title: 'Whatever the nodes and the host answer at first, it asks for the one right proof alone',
    area: 'challenger',
    rules: ['PRV-REQ-03', 'PRV-REQ-07', 'PRV-REQ-12', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'A node that is behind or had another block before, a block that L1 fails to give or an error of the host makes no other range right, and no other L1 head.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = await playBadGame(caller, 'bad-root-last')
        const end = await endOfFirstInterval(caller, bad)
        // Of the blocks that L2 has then it may ask for a proof, and gets none.
        caller.spoil('prover_prove', 'refused')
        const reorganize = putOnOtherBranch(caller, end)
        await letItLookAtGame(caller, bad)
        reorganize()
        await decideAgain(caller)
        const { length: before } = caller.requests
        const catchUp = keepBehind(caller, end)
        await decideAgain(caller)
        catchUp()
        await askRefusingL1(caller)
        const mend = caller.spoil('prover_prove', 'refused')
        const makeFinal = keepUnfinal(caller)
        await decideAgain(caller)
        makeFinal()
        mend()
        const taken = await nullification(caller).catch(() => undefined)
        await expectRightRequests(caller, bad.game.address, bad.badIndex, before)
        // That it asks again after an error is a `should`.
        if (!taken) cannotJudge('It nullifies nothing after an error.')
      })
    },
  },
  {
    id: 'caller.challenger.slow-host.01',
    title: 'A proof that takes its time is waited for, and asked for once',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A host may take 1,740 s for a proof; each request is a proof more to make.',
    run: (t) =>
      expectDisputeThrough(t, async (caller) => {
        await askSlowHost(caller)
        await nullification(caller)
        expectEqual(timesAsked(caller, 'prover_prove'), 1, 'requests of prover_prove for one game')
      }),
  },
  {
    id: 'caller.challenger.refused-transaction.01',
    title: 'A transaction that L1 refuses for a reason that passes is sent again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Of several nodes behind one address one may be a block behind; the proof is as good as before.',
    run: (t) => expectDisputeThrough(t, sendThroughRefusal),
  },
  {
    id: 'caller.challenger.dear-gas.01',
    title: 'A game is nullified where gas on L1 became dear while its proof was made',
    area: 'challenger',
    rules: ['PIPE-26'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A wrong root is worth more than any gas, and the price goes up when all want out.',
    run: (t) => expectDisputeThrough(t, sendInDearGas),
  },
  {
    id: 'caller.challenger.lost-answer.01',
    title: 'A game is not nullified a second time where the answer of L1 is lost',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'L1 has it though nobody said so: a second one reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = await playBadGame(caller, 'bad-root-first')
        caller.loseAnswer('in a block')
        caller.start()
        await nullification(caller)
        await untilNullified(caller, game.address)
        await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.lost-answer.02',
    title: 'The same where the answer is lost while the call waits for its block',
    area: 'challenger',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'The game has its prover yet, and the account a transaction more than its blocks tell of: a second one reverts behind it.',
    run: (t) => expectOneNullification(t, loseAnswerBetweenBlocks),
  },
  {
    id: 'caller.challenger.lost-signer.01',
    title: 'A proof that L1 refuses for its signer is thrown away, and another one brought',
    area: 'challenger',
    rules: ['PIPE-26', 'SIG-10'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A signer may be struck off while it proves: no waiting makes its proof good.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = await playBadGame(caller, 'bad-root-first')
        caller.loseSigner()
        caller.start()
        await askedAgain(caller, 'prover_prove')
        await untilNullified(caller, game.address)
      })
    },
  },
  {
    id: 'caller.challenger.crash.01',
    title: 'A challenger that crashes while its call waits for a block does not send it again',
    area: 'challenger',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'The game still has its prover, and a transaction of the account waits: a second one reverts behind it.',
    run: (t) => expectOneNullification(t, crashBetweenBlocks),
  },
  {
    id: 'caller.challenger.slow-block.01',
    title: 'A call of nullify that waits twelve seconds for its block is not sent a second time',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A block of L1 takes that long; of two calls the second reverts and costs gas.',
    run: (t) => expectOneNullification(t, sendBetweenBlocks),
  },
  {
    id: 'caller.challenger.full-blocks.01',
    title: 'A call of nullify that a dozen full blocks pass by is not sent a second time',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Blocks of L1 are full at times: what is in none yet waits, and a second call reverts behind it.',
    run: (t) => expectOneNullification(t, sendPastFullBlocks),
  },
])

/** However long its transaction waits for a block, it makes no second one. */
async function expectOneNullification(
  t: CaseContext,
  send: (caller: WatchedCaller) => Promise<void>,
): Promise<void> {
  await withCaller(t, 'challenger', async (caller) => {
    const { game } = await playBadGame(caller, 'bad-root-first')
    await send(caller)
    // By whichever transaction of that nonce: who waits may offer more for its gas.
    await untilNullified(caller, game.address)
    await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
  })
}

async function endOfFirstInterval(caller: WatchedCaller, { game }: BadGame): Promise<number> {
  return (await rightDispute(caller, game.address, 0)).end
}

/** Leaves it the time to come to its decision once more. */
async function decideAgain(caller: WatchedCaller): Promise<void> {
  await lookAgain(caller)
  await caller.untilOver(DECIDED_WITHIN)
}

/** What is between it and the host does not keep a wrong root on L1. */
async function expectDisputeThrough(
  t: CaseContext,
  ask: (caller: WatchedCaller) => Promise<void>,
): Promise<void> {
  await withCaller(t, 'challenger', async (caller) => {
    await caller.world.play('bad-root-first')
    await ask(caller)
    await expectTaken(caller, (await nullification(caller)).transaction, 'nullify')
  })
}
