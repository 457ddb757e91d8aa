import { type CaseResult, isFailing, type RunResult } from './model.ts'

/** How the cases of two runs differ. Cases with the same verdict in both are left out. */
export interface RunDiff {
  /** Fail now and did not before, new cases among them, but not those of a newer catalogue. */
  regressions: ChangedCase[]
  /** Fail, and are of a newer catalogue than the first run: the rule is new, nothing broke. */
  newRules: ChangedCase[]
  /** Failed before and do not now. */
  fixes: ChangedCase[]
  /** Another verdict, but neither of the above. */
  changes: ChangedCase[]
  /** Only in the second run. */
  added: CaseResult[]
  /** Only in the first run. */
  removed: CaseResult[]
}

export interface ChangedCase {
  /** Absent for a new case. */
  before?: CaseResult
  after: CaseResult
}

/** Compares case by case, by id. */
export function diffRuns(before: RunResult, after: RunResult): RunDiff {
  const earlier = new Map(before.cases.map((each) => [each.id, each]))
  const later = new Set(after.cases.map((each) => each.id))
  const pairs = after.cases.map((each): ChangedCase => {
    const known = earlier.get(each.id)
    return { ...(known && { before: known }), after: each }
  })
  const changed = pairs.filter((pair) => pair.before?.verdict !== pair.after.verdict)
  const failedBefore = ({ before: known }: ChangedCase) => known && isFailing(known.verdict)
  const worse = changed.filter((pair) => isFailing(pair.after.verdict) && !failedBefore(pair))
  const isNew = ({ before: known, after: { since } }: ChangedCase) =>
    !known && before.catalogue !== undefined && since !== undefined && since > before.catalogue
  const newRules = worse.filter(isNew)
  const regressions = worse.filter((pair) => !isNew(pair))
  const fixes = changed.filter((pair) => !isFailing(pair.after.verdict) && failedBefore(pair))
  return {
    regressions,
    newRules,
    fixes,
    changes: changed.filter(
      (pair) => pair.before && !regressions.includes(pair) && !fixes.includes(pair),
    ),
    added: pairs.filter((pair) => !pair.before).map((pair) => pair.after),
    removed: before.cases.filter((each) => !later.has(each.id)),
  }
}

/** The difference for a terminal; one line for each case, regressions with their command. */
export function describeDiff(diff: RunDiff): string {
  const { regressions, newRules, fixes, changes, added, removed } = diff
  const line = ({ before, after }: ChangedCase) =>
    `  ${after.id}: ${before?.verdict ?? 'new'} → ${after.verdict}`
  const block = (title: string, lines: string[]) =>
    lines.length ? [`${title} (${lines.length})`, ...lines, ''] : []
  const regressed = regressions.map((pair) => `${line(pair)}\n    ${pair.after.repro}`)
  return [
    ...block('Regressions', regressed),
    ...block('Fail by a case that is newer than the first run', newRules.map(line)),
    ...block('Fixed', fixes.map(line)),
    ...block('Other changes', changes.map(line)),
    ...block(
      'New cases',
      added.map((each) => `  ${each.id}: ${each.verdict}`),
    ),
    ...block(
      'Removed cases',
      removed.map((each) => `  ${each.id}: was ${each.verdict}`),
    ),
    `${regressions.length} worse, ${newRules.length ? `${newRules.length} by new rules, ` : ''}${fixes.length} fixed, ${changes.length} changed otherwise, ${added.length} new, ${removed.length} removed`,
  ].join('\n')
}
