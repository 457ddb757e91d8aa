/**
 * The one result model. The gate fills it, every writer reads it, and it is what `--format json`
 * writes: a run can be judged, merged and compared offline from this alone.
 */
export interface RunResult {
  schema: 'rollbed.run/1'
  tool: { name: string; version: string }
  /** Written by reports; counted anew by each writer. Absent in runs from before it was there. */
  totals?: RunTotals
  /** ISO 8601. */
  startedAt: string
  /** Milliseconds. */
  duration: number
  profile: string
  /** Version of the catalogue of cases; absent in runs from before it had one. */
  catalogue?: number
  /** Of `--build`: which build of the target was judged, in its owner's words. */
  build?: string
  /** Of `--claim`: what the target says that it is. By these alone it was judged; absent: by all. */
  claims?: readonly string[]
  /** What was judged, in its own words: the node's version, and the images of the enclaves that attested. */
  judged?: { client?: string; imageHashes?: readonly string[] }
  /** Which part of a whole run this is: the i-th of n, from 1. */
  shard?: { index: number; count: number }
  /** Area of targets → URL, as given. */
  targets: Readonly<Record<string, string>>
  /** Name of the driver that acted on the chain, if there was one. */
  driver: string | null
  /** The file of `--expect`, as given: a file of the repository that the run is about. */
  expectationsFile?: string
  cases: CaseResult[]
  rules: RuleStatus[]
  gaps: OpenPoint[]
  /** Expectations that expired or matched nothing: they fail the gate (exit code 4). */
  staleExpectations: StaleExpectation[]
  /** What happened when, of runs in which time is what matters. */
  timelines?: readonly Timeline[]
}

/** What a reader has to know first. */
export interface RunTotals {
  cases: number
  /** Cases that make the gate say no: failed, or could not be judged. */
  failed: number
  /** Cases of a `should` that is not met: they change no exit code without `--strict`. */
  shouldNotMet: number
  /** The last line of a terminal: how much was judged, and why the rest was not. */
  summary: string
}

/** One run as a picture over time. Times are milliseconds from its beginning. */
export interface Timeline {
  name: string
  duration: number
  /** A row for each part, in the order from top to bottom. */
  lanes: readonly TimelineLane[]
  /** What clients asked for: when, how long it took, and how it ended. */
  requests: readonly { at: number; duration: number; isAnswered: boolean; says: string }[]
  /** Numbers that grow: heads of the chain by name, each a list of time and number. */
  heads: readonly { name: string; points: readonly (readonly [at: number, number: number])[] }[]
  /** What was broken. */
  problems: readonly { at: number; says: string }[]
}

export interface TimelineLane {
  name: string
  /** What was wrong with it, and how long. */
  faults: readonly { from: number; to: number; says: string }[]
  /** What it did. */
  events: readonly { at: number; says: string }[]
}

/**
 * pass · fail · non-strict (a `should` is not met) · gap (the spec leaves it open) ·
 * not-applicable (the target or driver cannot be brought there) · unknown (could not be judged) ·
 * expected-fail and unexpected-pass (against the expectations file).
 */
export type Verdict =
  | 'pass'
  | 'fail'
  | 'non-strict'
  | 'gap'
  | 'not-applicable'
  | 'unknown'
  | 'expected-fail'
  | 'unexpected-pass'

export const VERDICTS: readonly Verdict[] = [
  'fail',
  'unknown',
  'unexpected-pass',
  'non-strict',
  'expected-fail',
  'gap',
  'not-applicable',
  'pass',
]

export type Level = 'must' | 'should' | 'may'

export interface CaseResult {
  id: string
  title: string
  area: string
  surface: string
  level: Level
  rules: readonly string[]
  rationale: string
  verdict: Verdict
  /** What a reader should know though it changed no verdict, such as a chain that was left damaged. */
  note?: string
  /** Why the verdict is not `pass`, in one sentence. */
  reason?: string
  failure?: Failure
  exchanges: Exchange[]
  /** Exchanges left out because the record is bounded. */
  exchangesDropped: number
  /** Milliseconds. */
  duration: number
  /** One pasteable command that judges this case again. */
  repro: string
  /** The version of the catalogue that brought this case. */
  since?: number
  expectation?: { reason: string; link?: string; expires: string }
  /** The gate itself was without something it starts, such as an L1: no fault of the target's. */
  isGateFault?: true
  /** The failed case that tells of the same fault: this one could not be judged for it. */
  blockedBy?: string
}

export interface Failure {
  /** Where in the answer, such as `result.transactions[2].hash`. */
  at: string
  expected: unknown
  actual: unknown
  hint?: string
}

/** One request and what came back. */
export interface Exchange {
  transport: 'http' | 'ws' | 'vsock'
  /** Milliseconds since the case, or the scene it looks at, began; below zero: another case had asked before. */
  at: number
  /** Milliseconds. */
  duration: number
  url: string
  /** Text as sent; cut when long. */
  request: string
  /** Text as received; cut when long. null when nothing came. */
  response: string | null
  status?: number
}

export interface RuleStatus {
  id: string
  says: string
  level: Level
  surface: string
  /** covered: a case quotes it. waived: a reason stands in for a case. uncovered: neither. */
  status: 'covered' | 'waived' | 'uncovered'
  reason?: string
  cases: readonly string[]
  /** Worst verdict of its cases; absent when none ran. */
  verdict?: Verdict
  /** Whether a case of it said yes or no. */
  isJudged?: boolean
  /** Why none did, and the flags of `rollbed conform` that would change that. */
  unjudged?: { reason: string; flags: readonly string[] }
}

export interface OpenPoint {
  id: string
  topic: string
  why: string
  affects: readonly string[]
}

export interface StaleExpectation {
  pattern: string
  reason: string
  problem: 'expired' | 'matches nothing' | 'passes now'
}

/** How many cases got each verdict. */
export function countVerdicts(cases: readonly CaseResult[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<
    Verdict,
    number
  >
  for (const result of cases) counts[result.verdict] += 1
  return counts
}

/** Verdicts that make the gate say no. */
export function isFailing(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'unknown' || verdict === 'unexpected-pass'
}

/** Whether a `should` is not met: no failure, but told as fully as one. */
export function isNonStrict({ verdict }: CaseResult): boolean {
  return verdict === 'non-strict'
}

/** The worst of several verdicts, in the order of VERDICTS; undefined for none. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  return VERDICTS.find((verdict) => verdicts.includes(verdict))
}
