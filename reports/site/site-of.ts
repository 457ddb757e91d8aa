import { isJudged, isJudgement, judgedRules } from '#reports/judged-rules'
import {
  countVerdicts,
  type Exchange,
  isFailing,
  type RunResult,
  type Verdict,
  worstVerdict,
} from '#reports/model'

/** Everything the site shows, as `site.json` has it. Runs of a target are in the order of time. */
export interface Site {
  schema: 'rollbed.site/1'
  targets: SiteTarget[]
  rules: SiteRule[]
}

export interface SiteTarget {
  name: string
  runs: SiteRun[]
  /** Cases that fail in the last run, with the first run of the unbroken row of bad ones. */
  failing: { case: string; since: string; reason: string }[]
  /** Cases that fail in the last run and are excused, with the reason of the expectations file. */
  known: { case: string; reason: string }[]
  /** JSON-RPC methods that it does not have. */
  refuses: string[]
}

export interface SiteRun {
  /** ISO 8601; names the run within its target. */
  startedAt: string
  profile: string
  version: string
  /** What was judged: of `--build`, and in the target's own words. */
  build?: string
  client?: string
  /** Of `--claim`. */
  claims?: readonly string[]
  /** The run itself, below the site's folder; absent where it lies elsewhere. */
  file?: string
  /** Version of the catalogue; absent in old runs. */
  catalogue?: number
  cases: number
  passed: number
  failed: number
  /** Known failures: `expected-fail`. */
  known: number
  /** A `should` that is not met. */
  nonStrict: number
  /** Cases that could say neither yes nor no here. */
  setAside: number
  judgedRules: number
  totalRules: number
}

export interface SiteRule {
  id: string
  says: string
  /** By name of the target: the worst verdict in its last run, absent when it was not judged. */
  verdicts: Record<string, Verdict>
  /** Cases that quote it, each with its verdict in every run of every target, oldest first. */
  cases: { id: string; history: Record<string, (Verdict | null)[]> }[]
}

/** A run and the name of what it judged. */
export interface NamedRun {
  target: string
  run: RunResult
  /** Where it lies below the folder of a site. */
  file?: string
}

/** Puts many runs of many targets side by side. */
export function siteOf(named: readonly NamedRun[]): Site {
  const byTarget = [...Map.groupBy(named, ({ target }) => target)]
    .map(([name, group]) => ({
      name,
      runs: group.map(({ run }) => run).sort((a, b) => a.startedAt.localeCompare(b.startedAt)),
      files: new Map(group.map(({ run, file }) => [run, file])),
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
  const rules = new Map(
    byTarget.flatMap(({ runs }) => runs.flatMap((run) => run.rules)).map((rule) => [rule.id, rule]),
  )
  return {
    schema: 'rollbed.site/1',
    targets: byTarget.map(({ name, runs, files }) => ({
      name,
      runs: runs.map((run) => summaryOf(run, files.get(run))),
      failing: failingOf(runs),
      known: knownIn(runs.at(-1)!),
      refuses: refusedBy(runs.at(-1)!),
    })),
    rules: [...rules.values()].map(({ id, says, cases }) => ({
      id,
      says,
      verdicts: Object.fromEntries(
        byTarget.flatMap(({ name, runs }) => {
          const verdict = verdictOf(runs.at(-1)!, id)
          return verdict ? [[name, verdict] as const] : []
        }),
      ),
      cases: cases.map((caseId) => ({
        id: caseId,
        history: Object.fromEntries(
          byTarget.map(({ name, runs }) => [name, runs.map((run) => verdictOfCase(run, caseId))]),
        ),
      })),
    })),
  }
}

function summaryOf(run: RunResult, file: string | undefined): SiteRun {
  const counts = countVerdicts(run.cases)
  const { judged, total } = judgedRules(run)
  return {
    startedAt: run.startedAt,
    profile: run.profile,
    version: run.tool.version,
    ...(run.build && { build: run.build }),
    ...(run.judged?.client && { client: run.judged.client }),
    ...(run.claims && { claims: run.claims }),
    ...(file && { file }),
    ...(run.catalogue && { catalogue: run.catalogue }),
    cases: run.cases.length,
    passed: counts.pass,
    failed: run.cases.filter(({ verdict }) => isFailing(verdict)).length,
    known: counts['expected-fail'],
    nonStrict: counts['non-strict'],
    setAside: counts['not-applicable'] + counts.gap,
    judgedRules: judged,
    totalRules: total,
  }
}

function verdictOf(run: RunResult, ruleId: string): Verdict | undefined {
  const rule = run.rules.find(({ id }) => id === ruleId)
  if (!rule || !isJudged(rule)) return undefined
  const verdicts = rule.cases.flatMap((id) => verdictOfCase(run, id) ?? [])
  // One case that found nothing to judge hides no other that did; one without an answer does.
  const judged = verdicts.filter((verdict) => isJudgement(verdict) || isFailing(verdict))
  return worstVerdict(judged) ?? rule.verdict
}

function verdictOfCase(run: RunResult, caseId: string): Verdict | null {
  return run.cases.find(({ id }) => id === caseId)?.verdict ?? null
}

/** @param runs of one target, oldest first; at least one */
export function failingOf(runs: readonly RunResult[]): SiteTarget['failing'] {
  return runs.at(-1)!.cases.flatMap(({ id, verdict, reason = '' }) => {
    if (!isFailing(verdict)) return []
    const good = runs.findLastIndex((run) => {
      const past = verdictOfCase(run, id)
      return past !== null && !isFailing(past)
    })
    const since = runs.slice(good + 1).find((run) => verdictOfCase(run, id) !== null)!
    return [{ case: id, since: since.startedAt, reason }]
  })
}

function knownIn({ cases }: RunResult): SiteTarget['known'] {
  return cases
    .filter(({ verdict }) => verdict === 'expected-fail')
    .map(({ id, expectation, reason = '' }) => ({
      case: id,
      reason: expectation?.reason ?? reason,
    }))
}

/** From the reasons of what was blocked, and from "method not found" in the failures. */
function refusedBy(run: RunResult): string[] {
  const blocked = run.cases.flatMap(({ blockedBy, reason }) => {
    const [, method] = blockedBy ? (/has no (\w+)\./.exec(reason ?? '') ?? []) : []
    return method ? [method] : []
  })
  const missing = run.cases
    .filter(({ verdict }) => isFailing(verdict) || verdict === 'expected-fail')
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ response }) => response?.includes('-32601'))
    .flatMap(methodOf)
  // Some say so of a parameter, such as of a subscription that they do not have.
  const answered = new Set(
    run.cases
      .flatMap(({ exchanges }) => exchanges)
      .filter(({ response }) => response?.includes('"result"'))
      .flatMap(methodOf),
  )
  const refused = missing.filter((method) => !answered.has(method))
  return [...new Set([...blocked, ...refused])].sort()
}

function methodOf({ request }: Exchange): string[] {
  return /"method":"((?:eth|prover|enclave)_\w+)"/.exec(request)?.slice(1) ?? []
}
