import { describeTarget } from '#reports/describe-target'
import type { Level } from '#reports/model'
import { failingOf, type NamedRun } from './site-of.ts'

/** A rule that a target broke in its last run. */
export interface BrokenRule {
  rule: string
  says: string
  level: Level
  target: string
  /** ISO 8601: the first run of the unbroken row of bad ones. */
  since: string
  /** What was judged then: build, version, claims, catalogue. */
  judged: string
  /** Cases that show it in the last run, each with the reason and what repeats it. */
  cases: { id: string; reason: string; repro: string }[]
}

/**
 * Which rules are broken, since when and where: for each target by its last run.
 *
 * @param isAsked picks rules; all by default
 */
export function brokenRules(
  named: readonly NamedRun[],
  isAsked: (rule: string, target: string) => boolean = () => true,
): BrokenRule[] {
  return [...Map.groupBy(named, ({ target }) => target)].flatMap(([target, group]) => {
    const runs = group
      .map(({ run }) => run)
      .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
    const last = runs.at(-1)!
    const since = new Map(failingOf(runs).map((each) => [each.case, each.since]))
    return last.rules.flatMap(({ id, says, level, cases }): BrokenRule[] => {
      const bad = last.cases.filter((each) => cases.includes(each.id) && since.has(each.id))
      if (bad.length === 0 || !isAsked(id, target)) return []
      const first = bad.map((each) => since.get(each.id)!).toSorted()[0]!
      return [
        {
          ...{ rule: id, says, level, target, since: first },
          judged: describeTarget(runs.find(({ startedAt }) => startedAt === first)!),
          cases: bad.map(({ id, reason = '', repro }) => ({ id, reason, repro })),
        },
      ]
    })
  })
}

/** Plain text, a paragraph each. */
export function describeBroken(broken: readonly BrokenRule[]): string {
  if (broken.length === 0)
    return 'No rule that was asked for is broken in the last run of a target.'
  return broken
    .map(({ rule, says, level, target, since, judged, cases }) =>
      [
        `${rule} (${level}) of ${target}, since ${since}: ${says}`,
        ...(judged ? [`  first judged: ${judged}`] : []),
        ...cases.map(({ id, reason, repro }) => `  ${id}: ${reason}\n    ${repro}`),
      ].join('\n'),
    )
    .join('\n\n')
}
