import type { PartName } from '../model/part-name.ts'
import type { MutantOutcome } from './mutant-outcome.ts'

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

/** For a shell: a line for each part. */
export function tableOf(outcomes: readonly MutantOutcome[]): string {
  const parts = [...new Set(outcomes.map(({ part }) => part))]
  const rows = [...parts.map((part) => outcomes.filter((each) => each.part === part)), outcomes]
  return rows
    .map((own, at) => {
      const found = own.filter(({ verdict }) => verdict === 'found')
      const alive = own.filter(({ verdict }) => verdict === 'survived')
      const unmet = alive.filter(({ isReached }) => !isReached)
      return `${parts[at] ?? 'all'}: ${found.length} found, ${found.filter(isNamed).length} named, ${alive.length - unmet.length} lived, ${unmet.length} never reached`
    })
    .join('\n')
}
