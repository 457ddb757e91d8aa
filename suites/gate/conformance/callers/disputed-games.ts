import { expectEqual } from '../matchers/expect-equal.ts'
import type { Hex } from '../wire/hex.ts'
import { expectRightNullification } from './expect-right-call.ts'
import { expectTaken, nullificationsOf } from './sent-calls.ts'
import type { WatchedCaller } from './watched-caller.ts'

/** Milliseconds in which a challenger comes to its decision once it looks at a game. */
export const DECIDED_WITHIN = 3_000

/** What a situation with a wrong root tells. */
export interface BadGame {
  game: { address: Hex }
  badIndex: number
  correctRoot: Hex
}

/** Brings a situation with one false game about, or with one behind others. Its address is in lower case. */
export async function playBadGame(caller: WatchedCaller, situation: string): Promise<BadGame> {
  const bad = (await caller.world.play(situation)) as unknown as BadGame
  return { ...bad, game: { address: bad.game.address.toLowerCase() as Hex } }
}

export async function expectNullified(
  caller: WatchedCaller,
  bad: BadGame,
  options?: Parameters<typeof expectRightNullification>[3],
): Promise<void> {
  const { address } = bad.game
  const sent = await expectRightNullification(caller, address, bad.badIndex, options)
  expectEqual(sent.root, bad.correctRoot, 'root')
  await expectTaken(caller, sent.transaction, 'nullify')
  expectEqual(BigInt(String(await caller.read(address, 'teeProver'))), 0n, 'teeProver() afterwards')
}

export async function isNullified(caller: WatchedCaller, game: Hex): Promise<boolean> {
  return BigInt(String(await caller.read(game, 'teeProver'))) === 0n
}

export function untilNullified(caller: WatchedCaller, game: Hex): Promise<true> {
  return caller.until('the game nullified', async () =>
    (await isNullified(caller, game)) ? true : undefined,
  )
}

export const nullification = (caller: WatchedCaller) =>
  caller.until('a call of nullify', () => nullificationsOf(caller)[0])

/** Starts it, and leaves it the time to look at a game. */
export async function letItLookAtGame(
  caller: WatchedCaller,
  { game }: Pick<BadGame, 'game'>,
): Promise<void> {
  const address = game.address.slice(2).toLowerCase()
  caller.start()
  await caller.until('a look at the game', () => caller.asksOfL1(address) || undefined)
  await caller.untilOver(DECIDED_WITHIN)
}
