import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import type { CaseResult, RunResult } from '#reports/model'
import { applyExpectations } from './apply-expectations.ts'
import { blockByMissingMethod } from './block-by-missing-method.ts'
import { WORLDS_AT_ONCE } from './callers/with-caller.ts'
import { worldsBeside } from './callers/worlds-beside.ts'
import { areasOf } from './claims.ts'
import { type ConformanceCase, judgesCaller, startsProcesses } from './conformance-case.ts'
import { createReadingDriver } from './drivers/reading-driver.ts'
import type { Expectation } from './expectations.ts'
import {
  bringAbout,
  type JudgedCase,
  type JudgeOptions,
  judgeCase,
  type Run,
  startWatch,
} from './judge-case.ts'
import { USUAL_DRAW } from './payloads/effort.ts'
import { reachTargets } from './reach-targets.ts'
import { takesOverrides } from './reads/takes-overrides.ts'
import { createRedactor } from './redact.ts'
import { coverRules, listGaps } from './rule-coverage.ts'
import { preconfirmedWindow } from './scenes/preconfirmed-window.ts'
import { SceneStore } from './scenes/scene-store.ts'
import { SeenAnswers } from './seen/seen-answers.ts'
import { nothingWatched } from './seen/watched.ts'
import { selectCases } from './select-cases.ts'
import { oxAttribution } from './spec/ox-attribution.ts'
import { waitForChain } from './wait-for-chain.ts'
import { versionOf, type Wanted, wantedCases } from './wanted-cases.ts'
import { clientVersion, imageHashesIn } from './who-was-judged.ts'
import { ExchangeRecorder } from './wire/exchange-recorder.ts'
import { createHttpClient } from './wire/http-client.ts'
import { createJsonRpcClient } from './wire/json-rpc-client.ts'
import { createTargetLine } from './wire/target-line.ts'

/** Seconds: a block and more of most chains. */
const SHORT_WATCH = 3
/** Among the cases that are under way. */
const WATCH = 'the watch of the node'

export interface ConformanceOptions extends JudgeOptions, Wanted {
  /** Called when a case has its verdict. */
  onProgress?: (progress: Progress) => void
  /**
   * Cases under way at once, as many that start processes, and of callers at most 10. Default 32: nearly all
   * of them wait, for the chain or for their turn to start something.
   */
  concurrency?: number
  expectations?: readonly Expectation[]
  /**
   * Seconds for which the node is watched at least, where a case judges that. Default 3; as long as
   * other cases take, if that is longer.
   */
  watch?: number
  /** Scenes of an earlier run on the same chain, whose facts still hold. */
  factsOf?: SceneStore
  /** Requests in a second to all targets. Default: as fast as they come. */
  rps?: number
  /** Sent with every request to a target; taken out of all reports. */
  headers?: Readonly<Record<string, string>>
  version?: string
}

export interface Progress {
  done: number
  total: number
  result: CaseResult
  /** What has begun and has no verdict yet, the oldest first; it goes on changing. */
  underWay: ReadonlySet<string>
}

/**
 * Judges whatever answers at the given URLs against the specs. Each case runs once, never again.
 *
 * @param options `targets` by their URLs; `only` picks cases; times in milliseconds
 * @returns the run, in the form of `rollbed report`, with secrets taken out
 * @throws TargetUnreachable (TARGET_UNREACHABLE) when a URL does not answer
 * @throws NoSuchCase (NO_SUCH_CASE) when `only` fits none
 * @throws ClaimNotJudged (CLAIM_NOT_JUDGED) when nothing given is of a claim
 * @throws NoSuchVersion (NO_SUCH_VERSION) when the catalogue has no `rulesVersion`
 * @throws RangeError when `concurrency` is no whole number above 0
 * @see reports/in-ci.md
 * @example
 * import { runConformance } from 'rollbed/conform'
 *
 * const { rpcUrl: rpc, wsUrl: ws } = devnet.description
 * const { cases } = await runConformance({ targets: { rpc, ws }, only: 'RPC-ENV-09' })
 * console.log(cases.map(({ id, verdict }) => `${verdict} ${id}`))
 */
export async function runConformance(options: ConformanceOptions): Promise<RunResult> {
  const { targets, clock = systemClock, driver, profile = 'spec' } = options
  const { concurrency = 32 } = options
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError(`concurrency must be a whole number above 0, not ${concurrency}.`)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, ...(options.signal ? [options.signal] : [])])
  const line = createTargetLine({ ...options, clock })
  const { headers = {} } = options
  const redact = createRedactor({ targets, headers })
  const { claims = [] } = options
  const claimed = areasOf(claims)
  const isClaimed = ({ area }: ConformanceCase) => claims.length === 0 || claimed.has(area)
  const { wanted, cases } = wantedCases(options)
  await reachTargets(targets, { headers, clock, signal })

  let client: string | undefined
  // What is asked before the first case is judged, too.
  const seen = new SeenAnswers(targets.rpc)
  if (targets.rpc) {
    const recorder = new ExchangeRecorder(clock, (exchange) => seen.take(exchange))
    const rpc = createJsonRpcClient(createHttpClient({ url: targets.rpc, recorder, signal, line }))
    await waitForChain(rpc, { clock, signal })
    client = await clientVersion(rpc, clock)
  }
  const start = clock.now()
  const scenes = new SceneStore(options.factsOf)
  const { strict = false, attribution = oxAttribution, draw = USUAL_DRAW } = options
  const { changeHost = (launch) => launch, changeEnclave = (launch) => launch } = options
  const reading = targets.rpc
    ? createReadingDriver({ ...options, clock, headers, signal })
    : undefined
  const run: Run = {
    targets,
    driver: driver ?? reading,
    profile,
    clock,
    signal,
    strict,
    attribution,
    draw,
    timeout: options.timeout,
    changeHost,
    changeEnclave,
    startCallerWorld: options.startCallerWorld,
    scenes,
    seen,
    seenProver: new SeenAnswers(targets.prover),
    seenStream: new SeenAnswers(targets.ws),
    watched: nothingWatched(),
    line,
    takesOverrides: once(takesOverrides),
  }
  const judgements = new Map<string, JudgedCase>()
  const underWay = new Set<string>()
  const judge = async (test: ConformanceCase) => {
    underWay.add(test.id)
    const judgement = await judgeCase(test, run)
    underWay.delete(test.id)
    judgements.set(test.id, judgement)
    const { result } = judgement
    options.onProgress?.({ done: judgements.size, total: cases.length, result, underWay })
  }
  const judgeAll = (queue: ConformanceCase[], atOnce = concurrency) => {
    const worker = async () => {
      for (let test = queue.shift(); test; test = queue.shift()) await judge(test)
    }
    return Promise.all(Array.from({ length: atOnce }, worker))
  }
  const ofTargets = cases.filter((test) => !judgesCaller(test))
  const peaceful = ofTargets.filter((test) => !test.isDisruptive && !test.judgesAll)
  // Whoever limits requests, or lets nothing be sent, is not to be asked all the time.
  const watches = driver !== undefined && !options.rps && cases.some((test) => test.watches)
  const atLeast = (options.watch ?? SHORT_WATCH) * 1_000
  const kinds = cases.flatMap(({ asks }) => (asks ? [asks] : []))
  const watch = watches ? startWatch(run, { atLeast, kinds }) : undefined
  for (const { opensWith } of cases) if (opensWith) void bringAbout(opensWith, run)
  const judgeTargets = async () => {
    await Promise.all([
      judgeAll(peaceful.filter((test) => !startsProcesses(test))),
      judgeAll(peaceful.filter(startsProcesses)),
    ])
    if (watch) {
      if (targets.rpc && profile !== 'today') await bringAbout(preconfirmedWindow, run)
      underWay.add(WATCH)
      await watch.end()
      underWay.delete(WATCH)
    }
    run.seen.calmUntil = clock.now()
    for (const test of ofTargets) if (test.isDisruptive) await judge(test)
    run.seen.calmAgain = clock.now()
    await judgeAll(ofTargets.filter((test) => test.judgesAll))
  }
  // Their worlds are their own: nobody has to watch a node until the last of them is done.
  const judgeCallers = (targetsJudged: Promise<void>) => {
    const queue = cases.filter(judgesCaller).toSorted(longestFirst)
    const most = Math.min(WORLDS_AT_ONCE, options.concurrency ?? WORLDS_AT_ONCE)
    const beside = Math.min(worldsBeside(), most)
    const join = () => judgeAll(queue, most - beside)
    return Promise.all([judgeAll(queue, beside), targetsJudged.then(join)])
  }
  try {
    const targetsJudged = judgeTargets()
    await Promise.all([targetsJudged, judgeCallers(targetsJudged)])
  } finally {
    end.abort()
  }

  const all = [...new Set([...selectCases(), ...wanted])].filter(isClaimed)
  const imageHashes = imageHashesIn(run.seenProver)
  const judged = applyExpectations({
    results: blockByMissingMethod(cases.map((test) => judgements.get(test.id)!)),
    expectations: options.expectations ?? [],
    today: isoTime(clock).slice(0, 10),
    known: [...selectCases(), ...wanted].map((test) => test.id),
  })
  return redact<RunResult>({
    schema: 'rollbed.run/1',
    tool: { name: 'rollbed', version: options.version ?? '0.0.0' },
    startedAt: isoTime({ now: () => start }),
    duration: clock.now() - start,
    profile,
    catalogue: versionOf(options.rulesVersion),
    ...(claims.length > 0 && { claims: [...claims] }),
    ...((client || imageHashes.length > 0) && {
      judged: { ...(client && { client }), ...(imageHashes.length > 0 && { imageHashes }) },
    }),
    targets: { ...targets } as Record<string, string>,
    driver: driver?.name ?? null,
    cases: judged.results,
    rules: coverRules(all, judged.results, {
      ...{ targets, hasDriver: driver !== undefined, profile },
    }).filter(({ cases }) => claims.length === 0 || cases.length > 0),
    gaps: listGaps(),
    staleExpectations: judged.stale,
  })
}

function isoTime(clock: Pick<Clock, 'now'>): string {
  // biome-ignore lint/style/noRestrictedGlobals: formats a moment the clock gave, reads none
  return new Date(clock.now()).toISOString()
}

function longestFirst(a: ConformanceCase, b: ConformanceCase): number {
  return Number(b.takesLong ?? false) - Number(a.takesLong ?? false)
}

/** Asks the first time, and keeps the answer. */
function once<T, R>(ask: (value: T) => Promise<R>): (value: T) => Promise<R> {
  let answer: Promise<R> | undefined
  return (value) => {
    answer ??= ask(value)
    return answer
  }
}
