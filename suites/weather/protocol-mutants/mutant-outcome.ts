import type { PartName } from '../model/part-name.ts'
import type { Mutation } from './mutation.ts'

/** How a swarm saw one mutant. */
export interface MutantOutcome extends Pick<Mutation, 'id' | 'from' | 'to'> {
  /** In which it is. */
  part: PartName
  /** `nothing`: the change is no program. `found` also where the world does not start, dies or stands still. */
  verdict: 'found' | 'survived' | 'nothing'
  /** How many runs were played, with that which found it. */
  runs: number
  /** Whether any of them came to the changed place. */
  isReached: boolean
  /** Whose sentence it broke first, and how; `starts`, `lives` and `goes-on` are the world's own. */
  checker?: string
  problem?: string
  /** Named by the report. */
  guilty?: PartName
}
