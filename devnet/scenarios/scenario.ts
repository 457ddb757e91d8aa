import type { ScenarioContext } from './scenario-context.ts'

/** A situation that a chain can be put into for actors that are tested on it. */
export interface Scenario {
  name: string
  /** One line for the list. */
  summary: string
  /** Brings it about on L1. */
  play(context: ScenarioContext): Promise<Situation>
}

/** What was made, and what follows from it. */
export interface Situation {
  /** What a correct actor should now do. */
  now: Partial<Record<'proposer' | 'challenger' | 'registrar', string>>
  [made: string]: unknown
}
