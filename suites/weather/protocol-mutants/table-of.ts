import type { PartName } from '../model/part-name.ts'
import type { MutantOutcome } from './mutant-outcome.ts'
import { reasonToLive } from './reason-to-live.ts'

/** What other parts run of derivation's code: by whose output it shows first is by whom it is named. */
const SHARES: Readonly<Partial<Record<PartName, readonly PartName[]>>> = {
  derivation: ['sequencer', 'batcher', 'safe head', 'prover host'],
  'safe head': ['derivation'],
  'kept chain': ['node', 'sequencer', 'builder codes'],
}

/** Whether the report named the part that was changed, or one that runs what was. */
export function isNamed({ part, guilty }: Pick<MutantOutcome, 'part' | 'guilty'>): boolean {
  return guilty === part || (guilty !== undefined && (SHARES[part] ?? []).includes(guilty))
}

/** @param least share of those that a run came to, and that have no reason to live: from 0 to 1 */
export function isEnough(outcomes: readonly MutantOutcome[], least: number): boolean {
  const { found, without } = sharesOf(outcomes)
  return found.length >= least * (found.length + without.length)
}

interface Shares {
  found: readonly MutantOutcome[]
  /** They lived, and have a reason. */
  withReason: readonly MutantOutcome[]
  without: readonly MutantOutcome[]
  /** No run came to them. */
  unmet: readonly MutantOutcome[]
}

function sharesOf(outcomes: readonly MutantOutcome[]): Shares {
  const alive = outcomes.filter(({ verdict }) => verdict === 'survived')
  const met = alive.filter(({ isReached }) => isReached)
  return {
    found: outcomes.filter(({ verdict }) => verdict === 'found'),
    withReason: met.filter((each) => reasonToLive(each)),
    without: met.filter((each) => !reasonToLive(each)),
    unmet: alive.filter(({ isReached }) => !isReached),
  }
}

/** For a shell: a line for each part. */
export function tableOf(outcomes: readonly MutantOutcome[]): string {
  const parts = [...new Set(outcomes.map(({ part }) => part))]
  const rows = [...parts.map((part) => outcomes.filter((each) => each.part === part)), outcomes]
  return rows
    .map((own, at) => {
      const { found, withReason, without, unmet } = sharesOf(own)
      const named = found.filter(isNamed).length
      return `${parts[at] ?? 'all'}: ${found.length} found, ${named} named, ${without.length} lived, ${withReason.length} lived with a reason, ${unmet.length} never reached`
    })
    .join('\n')
}
