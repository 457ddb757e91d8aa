import { encodeEventTopics } from 'viem'
import { createGameOfAnotherType, resolveGame, startInDearGas } from '../../callers/change-l1.ts'
import { keepBehind, keepUnfinal, putOnOtherBranch } from '../../callers/change-nodes.ts'
import { expectRightNullification, expectRightRequests } from '../../callers/expect-right-call.ts'
import { gameAbi } from '../../callers/game-abi.ts'
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
  blockOf,
  expectSentOnce,
  expectTaken,
  nullificationsOf,
  proofsOf,
  sendBetweenBlocks,
  sendThroughRefusal,
  timesAsked,
  whileProving,
} from '../../callers/sent-calls.ts'
import { takeOutOfL1 } from '../../callers/take-out-of-l1.ts'
import { CALLER_TIMEOUT, type WatchedCaller, withCaller } from '../../callers/with-caller.ts'
import { cannotJudge } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { Hex } from '../../wire/hex.ts'

/** L1 blocks, one a second, in which a challenger comes to its decision. */
const QUIET_BLOCKS = 6
/** Milliseconds in which it does once it looks at a game. */
const DECIDED_WITHIN = 3_000
/** Milliseconds in which it sees that its call was taken. */
const SEEN_WITHIN = 5_000

/** Place in devnet.json of the account that creates the games of situations. */
const LIAR = 9

/** What a situation with a wrong root tells. */
interface BadGame {
  game: { address: Hex }
  badIndex: number
  correctRoot: Hex
}

export const cases = defineCases([
  {
    id: 'caller.challenger.dispute.01',
    title: 'A game whose first root is wrong is nullified, by the aggregate signature alone',
    area: 'challenger',
    rules: ['PIPE-26', 'SIG-06', 'PRV-REQ-01', 'PRV-REQ-02'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'nullify() takes 66 bytes: the proof type and the signature, with v raised.',
    run: (t) => expectDispute(t, 'bad-root-first', { bothParities: true }),
  },
  {
    id: 'caller.challenger.dispute.02',
    title: 'A game whose last root is wrong is nullified at its index, and once',
    area: 'challenger',
    rules: ['PIPE-26', 'PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The proof covers one interval, from the last root that is right. The wrong one stands in the game for ever, and L1 refuses every further call.',
    run: (t) => expectDispute(t, 'bad-root-last', { isOver: true }),
  },
  {
    id: 'caller.challenger.dispute.03',
    title: 'A game whose L1 head is hundreds of blocks old is nullified from that block',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The journal of the game names its own L1 head, however old it became.',
    run: (t) => expectDispute(t, 'stale-l1-head'),
  },
  {
    id: 'caller.challenger.dispute.04',
    title: 'A game with two wrong roots is nullified at the first of them',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The contract starts from the root before, which only the first wrong one has true.',
    run: (t) => expectDispute(t, 'two-bad-roots'),
  },
  {
    id: 'caller.challenger.dispute.05',
    title: 'A game with three wrong roots is nullified at the first of them',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Whoever begins at the claim and goes back has to go back to the first.',
    run: (t) => expectDispute(t, 'three-bad-roots'),
  },
  {
    id: 'caller.challenger.dispute.06',
    title: 'A game with a wrong root is found behind a true one',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Most games are true: whoever stops at the first of them disputes nothing.',
    run: (t) => expectDispute(t, 'bad-root-last', { behind: 'honest-game' }),
  },
  {
    id: 'caller.challenger.dispute.07',
    title:
      'A game with a wrong root is found behind one that was resolved before anybody disputed it',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'L1 refuses every call for that one, for ever: whoever stops at it disputes no other.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
        await caller.world.play('time-passes')
        await resolveGame(caller, game.address)
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        caller.start()
        await expectNullified(caller, bad)
      })
    },
  },
  {
    id: 'caller.challenger.dispute.08',
    title: 'A game with a wrong root is found before a true one',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Games go on to come: whoever looks at the newest alone overlooks those before it.',
    run: (t) => expectDispute(t, 'bad-root-last', { before: 'honest-game' }),
  },
  {
    id: 'caller.challenger.dispute.09',
    title: 'A game with a wrong root is found behind one of another type',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A factory has games of several types, which have other functions: there is nothing to read.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await createGameOfAnotherType(caller)
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        caller.start()
        await expectNullified(caller, bad)
      })
    },
  },
  {
    id: 'caller.challenger.dispute.10',
    title: 'Of two games with wrong roots one is nullified, by a proof of its own',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Each has another wrong root: who has both proven must not take one for the other.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const first = (await caller.world.play('bad-root-first')) as unknown as BadGame
        const last = (await caller.world.play('bad-root-last')) as unknown as BadGame
        caller.start()
        const { game } = await nullification(caller)
        await expectNullified(caller, game === first.game.address.toLowerCase() ? first : last)
      })
    },
  },
  {
    id: 'caller.challenger.behind.01',
    title: 'A block that the L2 node does not have yet is no wrong root',
    area: 'challenger',
    rules: ['PIPE-26'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A node may be behind the one of the proposer: what it has not, it cannot judge.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        const goOn = keepBehind(caller, await endOfFirstInterval(caller, bad))
        await letItLook(caller, bad)
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
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'L2 has reorganizations, too: a root that was worked out once may be of no block.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        const goOn = putOnOtherBranch(caller, await endOfFirstInterval(caller, bad))
        await letItLook(caller, bad)
        goOn()
        await expectTaken(caller, (await nullification(caller)).transaction, 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.new-game.01',
    title: 'A game with a wrong root is found that is created while the challenger runs',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Games come one after the other: a list that was read once has none of the next.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        caller.start()
        await caller.until('a call to L1', () => caller.begun.length > 0 || undefined)
        await caller.untilOver(DECIDED_WITHIN)
        await expectNullified(
          caller,
          (await caller.world.play('bad-root-last')) as unknown as BadGame,
        )
      })
    },
  },
  {
    id: 'caller.challenger.l1-reorg.01',
    title: 'A game with a wrong root is found that L1 puts in the place of a true one',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'L1 counts as many games as before: an index that was looked at may be of another.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const honest = (await caller.world.play('honest-game')) as unknown as Pick<BadGame, 'game'>
        const address = honest.game.address.slice(2).toLowerCase()
        let goOn = () => {}
        await takeOutOfL1(caller, {
          blockOf: () => blockOfFirstGame(caller),
          async before() {
            caller.start()
            await caller.until('a look at the game', () => caller.asksOfL1(address) || undefined)
            await caller.untilOver(DECIDED_WITHIN)
            // Between two of its looks: one that sees L1 without a game begins anew by chance.
            goOn = caller.holdL1()
          },
        })
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        goOn()
        await caller.until(
          'a proof asked for, of the false game that L1 has at index 0 instead of the true one',
          () => timesAsked(caller, 'prover_prove') || undefined,
        )
        await expectNullified(caller, bad)
      })
    },
  },
  {
    id: 'caller.challenger.l1-reorg.03',
    title: 'A call of nullify that a reorganization of L1 takes out is brought again',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'The wrong root stands as before: what was in a block may be in none a moment later.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
        caller.start()
        const { transaction } = await nullification(caller)
        await expectTaken(caller, transaction, 'nullify')
        await takeOutOfL1(caller, {
          blockOf: () => blockOf(caller, transaction.hash),
          // It looks at what it sent, in its own time.
          before: () => caller.untilOver(SEEN_WITHIN),
        })
        await caller.until('the game nullified again', async () =>
          nullificationsOf(caller).length > 1 && (await isNullified(caller, game.address))
            ? true
            : undefined,
        )
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
    level: 'should',
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
      'A node that is behind, a block that L1 fails to give or an error of the host makes no other range right, and no other L1 head.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        const catchUp = keepBehind(caller, await endOfFirstInterval(caller, bad))
        await letItLook(caller, bad)
        catchUp()
        await askRefusingL1(caller)
        const mend = caller.spoil('prover_prove', 'refused')
        const makeFinal = keepUnfinal(caller)
        await lookAgain(caller)
        makeFinal()
        mend()
        const taken = await nullification(caller).catch(() => undefined)
        await expectRightRequests(caller, bad.game.address.toLowerCase() as Hex, bad.badIndex)
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
    level: 'should',
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
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('bad-root-first')
        await sendThroughRefusal(caller)
        await expectTaken(caller, (await nullification(caller)).transaction, 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.dear-gas.01',
    title: 'A game is nullified while gas on L1 is dear',
    area: 'challenger',
    rules: ['PIPE-26'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A wrong root is worth more than any gas, and the price goes up when all want out.',
    run: (t) => expectDisputeThrough(t, startInDearGas),
  },
  {
    id: 'caller.challenger.nullified.01',
    title: 'Once the TEE verifier is nullified, no other game is disputed by it',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Every TEE proof reverts then; only a ZK proof can dispute.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('bad-root-last')
        await caller.world.play('nullified-verifier')
        caller.start()
        await caller.until('a call to L1', () => caller.begun.includes('eth_call') || undefined)
        // One that looks at the verifier first asks for no proof at all.
        await caller.untilQuiet(QUIET_BLOCKS)
        if (timesAsked(caller, 'prover_prove') > 0) {
          await caller.until('a proof from the host', () => proofsOf(caller)[0])
          await caller.untilQuiet()
        }
        expectEqual(nullificationsOf(caller).length, 0, 'calls of nullify that revert')
      })
    },
  },
  {
    id: 'caller.challenger.honest.01',
    title: 'A true game is left alone',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The prover passes no judgement: whether to dispute is the challenger’s to know.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('honest-game')
        caller.start()
        await caller.untilQuiet()
        expectEqual(nullificationsOf(caller).length, 0, 'calls of nullify')
      })
    },
  },
  {
    id: 'caller.challenger.settled.01',
    title: 'A game that somebody else nullifies during the proof is not nullified again',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof takes minutes; what it was made for may be settled by then.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('bad-root-first')
        await whileProving(caller, () => caller.world.dispute())
        await caller.untilQuiet()
        expectEqual(nullificationsOf(caller).length, 0, 'calls of nullify for a nullified game')
      })
    },
  },
  {
    id: 'caller.challenger.settled.02',
    title: 'No proof is asked for of a game that somebody else has nullified',
    area: 'challenger',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'It stays in progress, with its wrong root; a proof keeps an enclave busy for nothing.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = (await caller.world.play('bad-root-first')) as unknown as BadGame
        await caller.world.dispute()
        await letItLook(caller, bad)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
      })
    },
  },
  {
    id: 'caller.challenger.proposer.01',
    title: 'A false game of the account that proposes is disputed like any other',
    area: 'challenger',
    rules: ['PIPE-26'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proposer whose key or whose enclave is in other hands is the one that lies.',
    async run(t) {
      const use = async (caller: WatchedCaller) => {
        const bad = (await caller.world.play('bad-root-first')) as unknown as BadGame
        caller.start()
        await expectNullified(caller, bad)
      }
      await withCaller(t, 'challenger', use, { firstAccount: LIAR })
    },
  },
  {
    id: 'caller.challenger.l1-reorg.02',
    title:
      'A game that a reorganization of L1 takes out during the proof is not nullified any more',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Where there is no code a call does nothing, and L1 takes it: trying it tells nothing.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('bad-root-first')
        const proving = caller.hold('prover_prove')
        await takeOutOfL1(caller, {
          blockOf: () => blockOfFirstGame(caller),
          async before() {
            caller.start()
            await caller.until('a request of prover_prove', () => proving.reached() || undefined)
          },
        })
        proving.release()
        await caller.untilQuiet()
        expectEqual(
          nullificationsOf(caller).map(({ game }) => game),
          [],
          'games that nullify was sent to though L1 has them no more',
        )
      })
    },
  },
  {
    id: 'caller.challenger.resolved.01',
    title: 'A game that is resolved during the proof is not nullified any more',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proof that comes after the time of its game reverts; the prover is still there.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await resolveWhileProving(caller)
        expectEqual(nullificationsOf(caller).length, 0, 'calls of nullify for a resolved game')
      })
    },
  },
  {
    id: 'caller.challenger.resolved.02',
    title:
      'After a game that was resolved during its proof, the next one is proven from its own L1 head',
    area: 'challenger',
    rules: ['PRV-REQ-03', 'PRV-REQ-04', 'PRV-REQ-08', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Each game has its L1 head, with a number of its own: those of another one bound another derivation. Until then the host may have other signers, and the caller another key.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await resolveWhileProving(caller)
        // One that sends all the same is judged by the case above.
        if (nullificationsOf(caller).length > 0) cannotJudge('It sends a proof of a resolved game.')
        await caller.changeAccounts()
        await caller.signWith(0)
        const bad = (await caller.world.play('bad-root-last')) as unknown as BadGame
        caller.start()
        // Whether L1 would take a proof of the first one may be tried as often as one likes.
        await expectNullified(caller, bad, { ofOthers: 'left out' })
      })
    },
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
        const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
        caller.loseAnswer()
        caller.start()
        await caller.until('a call of nullify', () => nullificationsOf(caller)[0])
        await untilNullified(caller, game.address)
        await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.lost-signer.01',
    title: 'A proof that L1 refuses for its signer is thrown away, and another one brought',
    area: 'challenger',
    rules: ['PIPE-26', 'SIG-10'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A signer may be struck off while it proves: no waiting makes its proof good.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
        caller.loseSigner()
        caller.start()
        await askedAgain(caller, 'prover_prove')
        await untilNullified(caller, game.address)
      })
    },
  },
  {
    id: 'caller.challenger.slow-block.01',
    title: 'A call of nullify that waits twelve seconds for its block is not sent a second time',
    area: 'challenger',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale: 'A block of L1 takes that long; of two calls the second reverts and costs gas.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
        await sendBetweenBlocks(caller)
        // By whichever transaction of that nonce: who waits may offer more for its gas.
        await untilNullified(caller, game.address)
        await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
      })
    },
  },
])

async function endOfFirstInterval(caller: WatchedCaller, { game }: BadGame): Promise<number> {
  return (await rightDispute(caller, game.address.toLowerCase() as Hex, 0)).end
}

/** Starts it, and leaves it the time to look at a game. */
async function letItLook(caller: WatchedCaller, { game }: BadGame): Promise<void> {
  const address = game.address.slice(2).toLowerCase()
  caller.start()
  await caller.until('a look at the game', () => caller.asksOfL1(address) || undefined)
  await caller.untilOver(DECIDED_WITHIN)
}

/** Where it is over, starts it; leaves it the time to come to its decision once more. */
async function lookAgain(caller: WatchedCaller): Promise<void> {
  const times = timesAsked(caller, 'eth_call')
  await caller.until(
    'another look at L1',
    () => timesAsked(caller, 'eth_call') > times || undefined,
  )
  await caller.untilOver(DECIDED_WITHIN)
}

async function isNullified(caller: WatchedCaller, game: Hex): Promise<boolean> {
  return BigInt(String(await caller.read(game, 'teeProver'))) === 0n
}

/** A game with a wrong root is resolved while the host makes the caller's proof of it. */
async function resolveWhileProving(caller: WatchedCaller): Promise<void> {
  const { game } = (await caller.world.play('bad-root-first')) as unknown as BadGame
  await whileProving(caller, async () => {
    await caller.world.play('time-passes')
    await resolveGame(caller, game.address)
  })
  await caller.untilQuiet()
}

function untilNullified(caller: WatchedCaller, game: Hex): Promise<true> {
  return caller.until('the game nullified', async () =>
    (await isNullified(caller, game)) ? true : undefined,
  )
}

async function expectDispute(
  t: CaseContext,
  situation: string,
  {
    bothParities = false,
    behind,
    before,
    isOver = false,
  }: { bothParities?: boolean; behind?: string; before?: string; isOver?: boolean } = {},
): Promise<void> {
  await withCaller(t, 'challenger', async (caller) => {
    if (behind) await caller.world.play(behind)
    const bad = (await caller.world.play(situation)) as unknown as BadGame
    if (before) await caller.world.play(before)
    const address = bad.game.address.toLowerCase() as Hex
    if (bothParities) {
      // Half of all signatures end in 1: a v that is always 27 must not depend on chance.
      const goOn = caller.keepFromL1()
      await caller.signWith(1)
      caller.start()
      await expectRightNullification(caller, address, bad.badIndex)
      await caller.forget()
      goOn()
      await caller.signWith(0)
    }
    caller.start()
    await expectNullified(caller, bad)
    if (isOver) await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
  })
}

async function expectNullified(
  caller: WatchedCaller,
  bad: BadGame,
  options?: Parameters<typeof expectRightNullification>[3],
): Promise<void> {
  const address = bad.game.address.toLowerCase() as Hex
  const sent = await expectRightNullification(caller, address, bad.badIndex, options)
  expectEqual(sent.root, bad.correctRoot, 'root')
  await expectTaken(caller, sent.transaction, 'nullify')
  expectEqual(BigInt(String(await caller.read(address, 'teeProver'))), 0n, 'teeProver() afterwards')
}

/**
 * The L1 block that the first of all games was created in; undefined where there is none. Found by its log, not by
 * its time: anvil's reorganization gives its new blocks the time of the one below them.
 */
async function blockOfFirstGame({ world, l1 }: WatchedCaller): Promise<number | undefined> {
  const { disputeGameFactory: address } = world.description.contracts
  const topics = encodeEventTopics({ abi: gameAbi, eventName: 'DisputeGameCreated' })
  const range = { fromBlock: 'earliest', toBlock: 'latest' }
  const logs = await l1.result('eth_getLogs', [{ address, topics, ...range }])
  const [first] = logs as { blockNumber: Hex }[]
  return first && Number(first.blockNumber)
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

const nullification = (caller: WatchedCaller) =>
  caller.until('a call of nullify', () => nullificationsOf(caller)[0])
