import { isGone } from '#devnet/actors/read-game'
import type { World } from '#devnet/rollup/world/world'
import { forgeBadRoot } from '#devnet/scenarios/bad-root'
import type { ScenarioContext } from '#devnet/scenarios/scenario-context'
import { sleep } from '#protocol/clock/clock'
import { randomInt, seededRng } from '#protocol/random/rng'
import type { Address } from '#protocol/types/bytes'
import { contextIn } from './context-in.ts'

/** Of TEEVerifier: whoever signed is not registered. */
const UNKNOWN_SIGNER = 'InvalidSigner'
/** Of it, too: a lie stood on L1 and was disproved, though the answer to whoever told it was lost. */
const DISPROVED = 'Nullified()'
/** Times that the registrar may be sooner: no enclave has the key, and he strikes it off. */
const MOST_TURNS = 8

export interface LieListener {
  /** There is nothing left that hinders him. */
  onTurn(): void
  /** His game stands on a block of L1 from which nobody can prove what is true. */
  onIrrefutable(game: Address): void
}

/**
 * Somebody with a leaked key, who proposes what is not true, in any of a game's roots, until such a game stands on L1,
 * and again where L1 takes it away; or until the registrar was sooner too often.
 */
export async function lieOnL1(
  world: World,
  signal: AbortSignal,
  { onTurn, onIrrefutable }: LieListener,
): Promise<void> {
  const context = contextIn(world, signal)
  const rng = seededRng(`lie ${world.facts.seed}`)
  const pause = () =>
    sleep(world.clock, world.rollupConfig.blockTime * 1000, signal).catch(() => {})
  for (let struckOff = 0; !signal.aborted; await pause()) {
    try {
      if (!(await isRefutable(context))) throw new Error('L1 does not say yet what is true.')
      const { game } = await forgeBadRoot(context, (count) => randomInt(rng, count))
      // L1 may have dropped the batches since, even what was final.
      const isStillRefutable = await isRefutable(context).catch(() => true)
      const forged = { address: game.address, isRefutable: isStillRefutable }
      world.recorder.record('liar', 'game.forged', forged)
      // With the first lie that is disproved the verifier is nullified: nobody could dispute a second.
      if (!isStillRefutable) onIrrefutable(game.address)
      onTurn()
      while (!signal.aborted && !(await isGone(context.l1, game.address))) await pause()
    } catch (error) {
      // Its weather is the actors' weather, too.
      world.recorder.record('liar', 'game.failed', { why: String(error) })
      if (String(error).includes(UNKNOWN_SIGNER)) struckOff += 1
      if (String(error).includes(DISPROVED) || struckOff >= MOST_TURNS) return onTurn()
    }
  }
}

/** Whether L1 has the blocks of the first game for good: from a block of L1 without them nobody can prove what is true. */
async function isRefutable({ rules, rollup }: ScenarioContext): Promise<boolean> {
  const { blockInterval } = await rules()
  return (await rollup.head('finalized')) >= blockInterval
}
