import type { PublicClient } from 'viem'
import type { GameRules } from '#devnet/actors/game-rules'
import { gameScanner } from '#devnet/actors/game-scanner'
import { gameStatus } from '#devnet/actors/read-game'
import { gameType } from '#fixtures/chain/constants'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { anchorStateRegistryAbi } from '#fixtures/contracts/AnchorStateRegistry.abi'
import { delayedWETHAbi } from '#fixtures/contracts/DelayedWETH.abi'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address } from '#protocol/types/bytes'
import { mineAt } from './l1-time.ts'
import type { Scenario } from './scenario.ts'

const NEVER = 2n ** 64n - 1n
/** As in AggregateVerifier: after it, a bond without any proof left can be reclaimed. */
const BOND_ESCAPE_DELAY = 14n * 86_400n

/** The newest ones that are looked at, and of how many L1 is asked at a time. */
const GAMES = 1_000
const AT_ONCE = 100

interface Event {
  game: Address
  /** L1 time, seconds. */
  at: bigint
  allows: 'resolve' | 'closeGame' | 'claimCredit'
}

export const timePasses: Scenario = {
  name: 'time-passes',
  summary: 'L1 moves on to the next time at which something can be done for a game',
  async play(context) {
    const { l1, contracts } = context
    const rules = await context.rules()
    const { timestamp } = await l1.getBlock()
    const factory = contracts.disputeGameFactory
    const games = await gameScanner(l1, { factory, gameType, lookback: GAMES, batch: GAMES })()
    const events: Event[] = []
    for (let first = 0; first < games.length; first += AT_ONCE) {
      const some = games.slice(first, first + AT_ONCE)
      const all = await Promise.all(some.map((game) => eventsOf(l1, rules, game)))
      events.push(...all.flat().filter(({ at }) => at > timestamp))
    }
    const [next] = events.toSorted((a, b) => Number(a.at - b.at))
    if (!next) throw new NothingToWaitFor()
    await mineAt(context.rpc, next.at)
    return {
      game: next.game,
      seconds: next.at - timestamp,
      l1Time: next.at,
      allows: next.allows,
      now: {
        proposer: `Call ${next.allows}() on the game.`,
        challenger: 'Nothing new: what was not disputed until now is settled.',
      },
    }
  },
}

/** Everything that only waits for L1's clock. */
async function eventsOf(l1: PublicClient, rules: GameRules, address: Address): Promise<Event[]> {
  const view = { address, abi: aggregateVerifierAbi } as const
  const anchors = {
    address: rules.anchorStateRegistry,
    abi: anchorStateRegistryAbi,
    functionName: 'disputeGameFinalityDelaySeconds',
  } as const
  const weth = { address: rules.delayedWeth, abi: delayedWETHAbi } as const
  const [status, createdAt, expectedResolution, resolvedAt, unlocked, claimed, recipient] =
    await Promise.all([
      l1.readContract({ ...view, functionName: 'status' }),
      l1.readContract({ ...view, functionName: 'createdAt' }),
      l1.readContract({ ...view, functionName: 'expectedResolution' }),
      l1.readContract({ ...view, functionName: 'resolvedAt' }),
      l1.readContract({ ...view, functionName: 'bondUnlocked' }),
      l1.readContract({ ...view, functionName: 'bondClaimed' }),
      l1.readContract({ ...view, functionName: 'bondRecipient' }),
    ])
  const [finality, delay, [, unlockedAt]] = await Promise.all([
    l1.readContract(anchors),
    l1.readContract({ ...weth, functionName: 'delay' }),
    l1.readContract({ ...weth, functionName: 'withdrawals', args: [address, recipient] }),
  ])
  const event = (at: bigint, allows: Event['allows']): Event => ({ game: address, at, allows })
  const events: Event[] = []
  if (status !== gameStatus.inProgress) events.push(event(resolvedAt + finality + 1n, 'closeGame'))
  else if (expectedResolution !== NEVER) events.push(event(expectedResolution, 'resolve'))
  else if (!unlocked) events.push(event(createdAt + BOND_ESCAPE_DELAY, 'claimCredit'))
  if (unlocked && !claimed) events.push(event(unlockedAt + delay, 'claimCredit'))
  return events
}

export class NothingToWaitFor extends RollbedError {
  constructor() {
    super('NOTHING_TO_WAIT_FOR', 'No game waits for time to pass.', {
      hint: "Create one: 'rollbed scenario run honest-game', or run a proposer.",
    })
  }
}
