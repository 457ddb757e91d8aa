import { encodeEventTopics } from 'viem'
import { resolveGame } from '../../callers/change-l1.ts'
import {
  type BadGame,
  DECIDED_WITHIN,
  expectNullified,
  isNullified,
  letItLookAtGame,
  nullification,
  playBadGame,
} from '../../callers/disputed-games.ts'
import { gameAbi } from '../../callers/game-abi.ts'
import {
  blockOf,
  expectTaken,
  lookAgain,
  nullificationsOf,
  proofsOf,
  SEEN_WITHIN,
  timesAsked,
  unseenWhileProving,
  whileProving,
} from '../../callers/sent-calls.ts'
import { takeOutOfL1 } from '../../callers/take-out-of-l1.ts'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { cannotJudge } from '../../case-failure.ts'
import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import type { Hex } from '../../wire/hex.ts'

/** L1 blocks, one a second, in which a challenger comes to its decision. */
const QUIET_BLOCKS = 6

export const cases = defineCases([
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
        await expectNullified(caller, await playBadGame(caller, 'bad-root-last'))
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
        let goOn = () => {}
        await takeOutOfL1(caller, {
          blockOf: () => blockOfFirstGame(caller),
          async before() {
            await letItLookAtGame(caller, honest)
            // Between two of its looks: one that sees L1 without a game begins anew by chance.
            goOn = caller.holdL1()
          },
        })
        const bad = await playBadGame(caller, 'bad-root-last')
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
        const { game } = await playBadGame(caller, 'bad-root-first')
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
        await expectNothingSent(caller, 'calls of nullify that revert')
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
        const bad = await playBadGame(caller, 'bad-root-first')
        await caller.world.dispute()
        await letItLookAtGame(caller, bad)
        expectEqual(timesAsked(caller, 'prover_prove'), 0, 'requests of prover_prove')
      })
    },
  },
  {
    id: 'caller.challenger.settled.03',
    title: 'A game that somebody else nullifies unseen, while L1 errs, is not nullified again',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Who cannot look again before it sends knows nothing of the game.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await caller.world.play('bad-root-first')
        await unseenWhileProving(caller, () => caller.world.dispute())
        expectEqual(nullificationsOf(caller).length, 0, 'calls of nullify for a nullified game')
      })
    },
  },
  {
    id: 'caller.challenger.settled.04',
    title: 'Nothing is sent about a game that somebody else has nullified',
    area: 'challenger',
    rules: ['PIPE-23'],
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'It stays in progress, with its wrong root: its status alone says nothing of it.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        const bad = await playBadGame(caller, 'bad-root-last')
        await caller.world.dispute()
        await letItLookAtGame(caller, bad)
        await expectNothingSent(caller, 'calls of nullify for a nullified game')
      })
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
    id: 'caller.challenger.resolved.03',
    title: 'Once a game is resolved during its proof, no other proof of it is asked for',
    area: 'challenger',
    rules: ['PIPE-23'],
    level: 'should',
    needs: ['challenger'],
    timeout: CALLER_TIMEOUT,
    rationale: 'It was defended, or fell, and its prover is still there: its status tells.',
    async run(t) {
      await withCaller(t, 'challenger', async (caller) => {
        await resolveWhileProving(caller)
        const asked = timesAsked(caller, 'prover_prove')
        await lookAgain(caller)
        await caller.untilQuiet(QUIET_BLOCKS)
        expectEqual(timesAsked(caller, 'prover_prove'), asked, 'requests of prover_prove, in all')
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
        const bad = await playBadGame(caller, 'bad-root-last')
        caller.start()
        // Whether L1 would take a proof of the first one may be tried as often as one likes.
        await expectNullified(caller, bad, { ofOthers: 'left out' })
      })
    },
  },
])

/** A game with a wrong root is resolved while the host makes the caller's proof of it. */
async function resolveWhileProving(caller: WatchedCaller): Promise<void> {
  const { game } = await playBadGame(caller, 'bad-root-first')
  await whileProving(caller, async () => {
    await caller.world.play('time-passes')
    await resolveGame(caller, game.address)
  })
  await caller.untilQuiet()
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

/** It came to its decision; a proof that it has asked for may still bring something about. */
async function expectNothingSent(caller: WatchedCaller, which: string): Promise<void> {
  if (timesAsked(caller, 'prover_prove') > 0) {
    await caller.until('a proof from the host', () => proofsOf(caller)[0])
    await caller.untilQuiet()
  }
  expectEqual(nullificationsOf(caller).length, 0, which)
}
