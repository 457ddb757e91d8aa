import type { FaultPlan } from '#devnet/faults/fault-plan'
import { randomInt, seededRng } from '#protocol/random/rng'

/**
 * Blocks of 2 s, and from the twelfth second on of 200 ms: in the middle of the weather, and between two roots of the
 * second game, whose end alone knows of it. The first is final before the weather is over.
 */
const CROSSING = {
  ...{ upgrades: { azul: 'genesis', denim: 'block 6' }, gameInterval: 4 },
} as const satisfies FaultPlan['world']
/** Of blocks of a second, with games of four blocks: the first one stands before the weather is over. */
const FAST = { blockTime: 1, gameInterval: 4 } as const
/** L1 blocks: so short that a batcher which is cut off for some seconds comes too late. */
const SHORT_WINDOW = 6

/**
 * The world of a run: one of four crosses to blocks of 200 ms. Each draw is by a name of its own, so that a new
 * one changes no other.
 */
export function drawWorld(seed: number): FaultPlan['world'] {
  const isOneIn = (name: string, many: number) =>
    randomInt(seededRng(`swarm ${seed}/world${name}`), many) === 0
  if (isOneIn('', 4)) return CROSSING
  return {
    ...(isOneIn(' fast', 2) && FAST),
    ...(isOneIn(' keeps chain', 3) && { keepsChain: true }),
    ...(isOneIn(' short window', 4) && { sequencerWindow: SHORT_WINDOW }),
  }
}
