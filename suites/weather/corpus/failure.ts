import type { FaultPlan } from '#devnet/faults/fault-plan'

/** One thing that is or was broken, by the smallest plan that shows it. */
export interface Failure {
  /** Of what broke and where (`keyOf`): two of one key are one failure. */
  key: string
  /** Whose sentence was broken first. */
  checker: string
  /** What was wrong, without its numbers and hashes. */
  problem: string
  /** The targets whose faults it takes, sorted; none: it breaks in quiet weather. */
  where: readonly string[]
  body: 'real' | 'simulated'
  plan: FaultPlan
  /** By build: when it was first played there, and whether it broke. */
  plays: Readonly<Record<string, Play>>
}

export interface Play {
  /** ISO 8601. */
  at: string
  broke: boolean
}
