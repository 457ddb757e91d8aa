import { type FaultPlan, type FaultPlanInput, parseFaultPlan } from '#devnet/faults/fault-plan'

/** A named story of bad weather: its plan, its load, and where it can be played. */
export interface Story {
  name: string
  /** What happened to whom, or is to be feared, with its public source. */
  story: string
  /** Ids of the catalogue of rules that it leans on. */
  rules: readonly string[]
  /** Where it can be played. */
  bodies: readonly ('real' | 'simulated')[]
  plan: FaultPlan
}

export const BOTH = ['real', 'simulated'] as const
export const SIMULATED = ['simulated'] as const

/** What clients do unless a story says otherwise. */
export const LOAD = {
  transfers: 120,
  tokens: 60,
  calls: 120,
  registrations: 60,
  // One of them in the weather of most stories.
  proofs: 40,
  subscribers: 1,
} as const satisfies FaultPlanInput['load']

/** Milliseconds; time for a few blocks and proofs before, during and after the faults. */
const DURATION = 5_500
/** Short blocks: the same happens in half the time. */
const WORLD: FaultPlanInput['world'] = { blockTime: 1 }

export function createStory(
  name: string,
  given: { story: string; rules?: readonly string[]; bodies?: Story['bodies'] } & FaultPlanInput,
): Story {
  const { story, rules = [], bodies = BOTH, ...plan } = given
  const usual = { duration: DURATION, world: WORLD, load: LOAD }
  const parsed = parseFaultPlan({ ...usual, ...plan }, name)
  return { name, story, rules, bodies, plan: parsed }
}
