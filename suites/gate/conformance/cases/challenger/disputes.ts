import {
  blocksOnL2,
  createGamesOfAnotherType,
  letAllWait,
  moveAnchor,
  pauseSystem,
  resolveGame,
  sealMore,
} from '../../callers/change-l1.ts'
import {
  type BadGame,
  DECIDED_WITHIN,
  expectNullified,
  nullification,
  playBadGame,
} from '../../callers/disputed-games.ts'
import { expectRightNullification } from '../../callers/expect-right-call.ts'
import {
  expectSentOnce,
  nullificationsOf,
  sendBetweenBlocks,
  triedNullificationsOf,
} from '../../callers/sent-calls.ts'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'

/** More than anybody looks at who takes the newest few for all. */
const MANY_GAMES = 12
/** Place in devnet.json of the account that creates the games of situations. */
const LIAR = 9

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
    title:
      'A game with two wrong roots is nullified at the first of them, behind one of fewer roots',
    area: 'challenger',
    rules: ['PRV-REQ-07', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The contract starts from the root before, which only the first wrong one has true. Games keep the interval that they were created with.',
    run: (t) => expectDispute(t, 'two-bad-roots', { behind: playedBy('honest-game') }),
  },
  {
    id: 'caller.challenger.dispute.05',
    title:
      'A game with three wrong roots, which starts where the anchor game ends, is nullified at the first of them',
    area: 'challenger',
    rules: ['PRV-REQ-05', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Whoever begins at the claim and goes back has to go back to the first; its place is counted from the start of the game.',
    run: (t) => expectDispute(t, 'three-bad-roots', { behind: moveAnchor }),
  },
  {
    id: 'caller.challenger.dispute.06',
    title: 'A game with a wrong root is found behind a true one',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Most games are true: whoever stops at the first of them disputes nothing.',
    run: (t) => expectDispute(t, 'bad-root-last', { behind: playedBy('honest-game') }),
  },
  {
    id: 'caller.challenger.dispute.07',
    title:
      'A game with a wrong root is found behind one that was resolved before anybody disputed it, and its child',
    area: 'challenger',
    rules: ['PRV-REQ-06', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'L1 refuses every call for that one, for ever, and no proof can start where its child does: whoever stops at either disputes no other.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const { parent } = (await caller.world.play('false-parent')) as { parent: BadGame['game'] }
        await caller.world.play('time-passes')
        await resolveGame(caller, parent.address)
        const bad = await playBadGame(caller, 'bad-root-last')
        caller.start()
        await expectNullified(caller, bad)
      })
    },
  },
  {
    id: 'caller.challenger.dispute.08',
    title:
      'A game with a wrong root is found before a true one, and nullified by the account of the proof',
    area: 'challenger',
    rules: ['PIPE-26', 'PRV-REQ-08'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Games go on to come: whoever looks at the newest alone overlooks those before it. A proof is for one account, whatever else of it waits for a block.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = await playBadGame(caller, 'bad-root-last')
        await caller.world.play('honest-game')
        const goOn = await letAllWait(caller)
        caller.start()
        await caller.untilOver(DECIDED_WITHIN)
        await goOn()
        await expectNullified(caller, bad)
        const calls = [...triedNullificationsOf(caller), ...nullificationsOf(caller)]
        // A try may name no sender.
        const senders = new Set(calls.flatMap(({ transaction }) => transaction.from ?? []))
        expectEqual(senders.size, 1, 'accounts that nullify was sent or tried from')
      })
    },
  },
  {
    id: 'caller.challenger.dispute.09',
    title: 'A game with a wrong root is found among those of another type',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A factory has games of several types, which have other functions: there is nothing to read. They may be the newest for long.',
    run: (t) =>
      expectDispute(t, 'bad-root-last', {
        behind: createGamesOfAnotherType,
        afterwards: (caller) => createGamesOfAnotherType(caller, MANY_GAMES),
      }),
  },
  {
    id: 'caller.challenger.dispute.10',
    title:
      'Of two games with wrong roots one is nullified, by a proof of its own, and no more is sent',
    area: 'challenger',
    rules: ['PIPE-26', 'PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    takesLong: true,
    rationale:
      'Each has another wrong root: who has both proven must not take one for the other. The first call stops the verifier once it is in a block, and L1 refuses the second.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const first = await playBadGame(caller, 'bad-root-first')
        const last = await playBadGame(caller, 'bad-root-last')
        await sendBetweenBlocks(caller)
        const { game } = await nullification(caller)
        await expectNullified(caller, game === first.game.address ? first : last)
        await expectSentOnce(caller, () => nullificationsOf(caller), 'nullify')
      })
    },
  },
  {
    id: 'caller.challenger.dispute.11',
    title: 'A game with a wrong root is found before a newer one that is resolved already',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A game that fell with its parent is resolved at once: those before it may have days to go.',
    run: (t) =>
      expectDispute(t, 'bad-root-last', {
        async afterwards(caller) {
          // A game on another one is of the blocks behind it.
          await sealMore(caller, await blocksOnL2(caller))
          const { game } = (await caller.world.play('invalid-parent')) as unknown as BadGame
          await resolveGame(caller, game.address)
        },
      }),
  },
  {
    id: 'caller.challenger.dispute.12',
    title:
      'A game with a wrong root is nullified by its own interval, where new games have another one',
    area: 'challenger',
    rules: ['PRV-REQ-09', 'PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A new version of the game changes none that exists: whoever asks it for the interval compares roots of other blocks.',
    run: (t) => expectDispute(t, 'bad-root-first', { afterwards: playedBy('more-roots') }),
  },
  {
    id: 'caller.challenger.paused.01',
    title: 'A game with a wrong root is nullified while the system is paused',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'A pause keeps nobody from calling nullify, and ends some day: the time of the game goes on.',
    run: (t) => expectDispute(t, 'bad-root-first', { afterwards: pauseSystem }),
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
    id: 'caller.challenger.proposer.01',
    title: 'A false game of the account that proposes is disputed like any other',
    area: 'challenger',
    rules: ['PIPE-26'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A proposer whose key or whose enclave is in other hands is the one that lies.',
    async run(t) {
      const use = async (caller: WatchedCaller) => {
        const bad = await playBadGame(caller, 'bad-root-first')
        caller.start()
        await expectNullified(caller, bad)
      }
      await withCaller(t, 'challenger', use, { firstAccount: LIAR })
    },
  },
])

const playedBy = (situation: string) => (caller: WatchedCaller) => caller.world.play(situation)

async function expectDispute(
  t: CaseContext,
  situation: string,
  {
    bothParities = false,
    behind,
    afterwards,
    isOver = false,
  }: {
    bothParities?: boolean
    /** What happens before the game is there, and what after it, before the challenger is. */
    behind?: (caller: WatchedCaller) => Promise<unknown>
    afterwards?: (caller: WatchedCaller) => Promise<unknown>
    isOver?: boolean
  } = {},
): Promise<void> {
  await withCaller(t, 'challenger', async (caller) => {
    await behind?.(caller)
    const bad = await playBadGame(caller, situation)
    await afterwards?.(caller)
    const { address } = bad.game
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
