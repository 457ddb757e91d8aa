import { sinceVersion } from '#fixtures/rules/case-versions'
import type { AttributionCodec, LaunchEnclave, LaunchHost } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { type CaseResult, type Exchange, isFailing } from '#reports/model'
import { CaseFailure, CaseSetAside, notApplicable } from './case-failure.ts'
import type { CaseContext, ConformanceCase, Profile, Scene } from './conformance-case.ts'
import type { StartCallerWorld } from './drivers/caller-world.ts'
import type { Driver } from './drivers/driver.ts'
import type { Draw } from './payloads/effort.ts'
import { PLACED, richAccounts } from './probes/probe-code.ts'
import { reproCommand } from './repro-command.ts'
import type { SceneStore } from './scenes/scene-store.ts'
import type { KnownKind } from './seen/known-answers.ts'
import { MOST_ANSWERS, type SeenAnswers } from './seen/seen-answers.ts'
import type { Watched } from './seen/watched.ts'
import type { Targets } from './targets.ts'
import { TimeLimit } from './time-limit.ts'
import { type Watch, watchNode } from './watch/watch-node.ts'
import { createEnclaveClient } from './wire/enclave-client.ts'
import { cutExchange, ExchangeRecorder, lastOf } from './wire/exchange-recorder.ts'
import { createHttpClient } from './wire/http-client.ts'
import { createJsonRpcClient, type JsonRpcClient } from './wire/json-rpc-client.ts'
import { createEnclaveLauncher } from './wire/launch-enclave.ts'
import { createHostLauncher } from './wire/launch-host.ts'
import { placeProbes } from './wire/place-probes.ts'
import { openSubscriptionClient, type SubscriptionClient } from './wire/subscription-client.ts'
import type { TargetLine } from './wire/target-line.ts'

const DEFAULT_TIMEOUT = 45_000
/** What several cases wait for: on a slow machine it takes several blocks until one was seen whole. */
const SCENE_TIMEOUT = 120_000
const CUT = `Of this run only the first ${MOST_ANSWERS} answers were kept, and judged.`
const NO_DRIVER = 'It needs a driver, or a node to read from.'

/** Who is judged, and how. */
export interface JudgeOptions {
  targets: Targets
  /** Acts on the chain. Without one, cases that must act are not applicable. */
  driver?: Driver | undefined
  /** Default `spec`. */
  profile?: Profile
  /** Default: the machine's. */
  clock?: Clock
  signal?: AbortSignal
  /** A `should` that is not met fails. Default false: it is non-strict. */
  strict?: boolean
  /** How builder codes are put into calldata. Default: as ox does. */
  attribution?: AttributionCodec
  /** Milliseconds a case may take, where it does not ask for more. Default 45,000. */
  timeout?: number | undefined
  /** Which random payloads are drawn, and how many. Default: seed 1, 60 of a kind. */
  draw?: Draw
  /** Wraps how prover hosts are started. Default: not at all. */
  changeHost?: (launch: LaunchHost) => LaunchHost
  /** Wraps how enclaves are started. Default: not at all. */
  changeEnclave?: (launch: LaunchEnclave) => LaunchEnclave
  /** Starts the world of a proposer, challenger or registrar; without it they are not judged. */
  startCallerWorld?: StartCallerWorld | undefined
}

type MayBeAbsent = 'driver' | 'timeout' | 'startCallerWorld'

/** What all cases of a run share. */
export interface Run
  extends Required<Omit<JudgeOptions, MayBeAbsent>>,
    Pick<JudgeOptions, MayBeAbsent> {
  scenes: SceneStore
  seen: SeenAnswers
  seenProver: SeenAnswers
  seenStream: SeenAnswers
  watched: Watched
  line: TargetLine
  /** Whether the node takes overrides in eth_call; asked once. */
  takesOverrides: (rpc: JsonRpcClient) => Promise<boolean>
}

export interface JudgedCase {
  result: CaseResult
  /** Method → whether the target answered it with anything but "method not found". */
  methods: ReadonlyMap<string, boolean>
}

/** Runs one case once and says how it went; never throws for what the target does. */
export async function judgeCase(test: ConformanceCase, run: Run): Promise<JudgedCase> {
  const cancel = new AbortController()
  const recorder = recorderOf(run)
  const looksAt = new Set<ExchangeRecorder>()
  const most = Math.max(test.timeout ?? 0, run.timeout ?? (test.timeout ? 0 : DEFAULT_TIMEOUT))
  const limit = limitOf(run, most, () => [...looksAt, recorder])
  // A run that is given up waits for none of its cases.
  const signal = AbortSignal.any([cancel.signal, run.signal])
  const notes: string[] = []
  const { context, close } = createContext(run, { recorder, signal, looksAt, limit, notes })
  let thrown: unknown
  try {
    if (test.needs.includes('driver') && !run.driver) notApplicable(NO_DRIVER)
    await limit.hold(test.run(context))
  } catch (error) {
    thrown = error
  } finally {
    limit.end()
    cancel.abort()
    close()
  }
  run.signal.throwIfAborted()
  if (test.judgesAll && seenBy(test, run).some(({ isCut }) => isCut)) notes.push(CUT)
  const recorders = [...looksAt, recorder]
  const judgement = judge(thrown, test, run.strict)
  const isWhole = isFailing(judgement.verdict) || judgement.verdict === 'non-strict'
  const kept = recorders.map(({ exchanges, dropped }) => {
    if (isWhole) return { kept: exchanges, left: dropped }
    const last = lastOf(exchanges)
    return { kept: last.kept, left: dropped + last.left }
  })
  const result: CaseResult = {
    id: test.id,
    title: test.title,
    area: test.area,
    surface: test.id.split('.')[0] ?? '',
    level: test.level ?? 'must',
    since: sinceVersion(test.id),
    rules: test.rules,
    rationale: test.rationale,
    ...judgement,
    ...(notes.length > 0 && { note: notes.join(' ') }),
    exchanges: [...kept.flatMap((each) => each.kept), ...shownBy(thrown, recorder)],
    exchangesDropped: kept.reduce((sum, { left }) => sum + left, 0),
    duration: limit.spent,
    repro: reproCommand(test, {
      ...run,
      driver: run.driver?.onlyReads ? undefined : run.driver,
    }),
  }
  const methods = new Map<string, boolean>()
  for (const [method, isThere] of recorders.flatMap((each) => [...each.methods])) {
    methods.set(method, isThere || (methods.get(method) ?? false))
  }
  return { result, methods }
}

/** What a case judges that judges all answers. */
function seenBy({ needs }: ConformanceCase, { seen, seenProver, seenStream }: Run): SeenAnswers[] {
  return [
    ...(needs.includes('rpc') ? [seen] : []),
    ...(needs.includes('prover') ? [seenProver] : []),
    ...(needs.includes('ws') ? [seenStream] : []),
  ]
}

/** Brings a scene about before a case asks for it; what fails there, the cases that ask are told. */
export async function bringAbout(scene: Scene<unknown>, run: Run): Promise<void> {
  const { signal } = run
  const looksAt = new Set<ExchangeRecorder>()
  const { context } = createContext(run, { recorder: recorderOf(run), signal, looksAt })
  await context.scene(scene).catch(() => undefined)
}

/** Watches the node of a run from now on. */
export function startWatch(
  run: Run,
  { atLeast, kinds }: { atLeast: number; kinds: readonly KnownKind[] },
): Watch {
  const { signal, watched } = run
  const { context } = createContext(run, { recorder: recorderOf(run), signal, looksAt: new Set() })
  return watchNode({ context, watched, atLeast, kinds })
}

function recorderOf({ clock, seen, seenProver, seenStream }: Run): ExchangeRecorder {
  return new ExchangeRecorder(clock, (exchange) => {
    seen.take(exchange)
    seenProver.take(exchange)
    seenStream.take(exchange)
  })
}

/** What another case had asked, and the answer that this one judges. */
function shownBy(thrown: unknown, recorder: ExchangeRecorder): Exchange[] {
  const shown = thrown instanceof CaseFailure ? thrown.exchange : undefined
  return shown ? [cutExchange(recorder.sinceStart(shown))] : []
}

/** Where nobody said how long a case may take, one whose answers are slow but come gets more time. */
function limitOf(
  { clock, timeout }: Run,
  most: number,
  recorders: () => ExchangeRecorder[],
): TimeLimit {
  return new TimeLimit(
    clock,
    most,
    (limit) => lateBy(limit, recorders()),
    ({ spent }) =>
      timeout === undefined && recorders().some((recorder) => recorder.isAnswered(spent)),
  )
}

function lateBy(
  { spent, wentOn }: TimeLimit,
  recorders: readonly ExchangeRecorder[],
): CaseSetAside {
  const waiting = recorders.flatMap((each) => each.underWay())
  const where = waiting.length ? ` No answer yet to: ${[...new Set(waiting)].join(', ')}.` : ''
  const slow = wentOn ? ' Answers came, but slowly: --timeout gives more time.' : ''
  return new CaseSetAside(
    'unknown',
    `No verdict within ${Math.round(spent / 1000)} s.${where}${slow}`,
  )
}

function judge(
  thrown: unknown,
  test: ConformanceCase,
  strict: boolean,
): Pick<CaseResult, 'verdict' | 'reason' | 'failure' | 'isGateFault'> {
  if (thrown === undefined) return { verdict: 'pass' }
  if (thrown instanceof CaseSetAside) {
    const { verdict, message: reason, isGateFault } = thrown
    return { verdict, reason, ...(isGateFault && { isGateFault }) }
  }
  if (!(thrown instanceof CaseFailure)) return { verdict: 'unknown', reason: reasonOf(thrown) }
  const { at, expected, actual, hint } = thrown
  return {
    verdict: (test.level ?? 'must') === 'must' || strict ? 'fail' : 'non-strict',
    reason: `${test.rules.join(', ')}: ${thrown.message}.`,
    failure: {
      at,
      expected: toJson(expected),
      actual: toJson(actual),
      ...(hint ? { hint } : {}),
    },
  }
}

function createContext(
  run: Run,
  of: {
    recorder: ExchangeRecorder
    signal: AbortSignal
    looksAt: Set<ExchangeRecorder>
    limit?: TimeLimit
    notes?: string[]
  },
): { context: CaseContext; close: () => void } {
  const { recorder, signal, looksAt, limit, notes = [] } = of
  const { targets, clock, driver, profile } = run
  const sockets: SubscriptionClient[] = []
  const given = (name: keyof Targets): string => {
    const target = targets[name]
    if (!target) throw new RangeError(`this case does not say that it needs ${name}`)
    return target
  }
  const { line } = run
  const http = (name: keyof Targets) =>
    createHttpClient({ url: given(name), recorder, signal, line })
  const rpcAt = (name: keyof Targets) => createJsonRpcClient(http(name), recorder)
  const after = (delay: number, then: () => void) => clock.after(delay, then)
  const bootBy = (name: keyof Targets) =>
    run.changeEnclave(createEnclaveLauncher({ command: given(name), clock, signal, limit }))
  const enclaveAt = (endpoint: string) => createEnclaveClient({ endpoint, recorder, after, signal })
  const context: CaseContext = {
    profile,
    clock,
    signal,
    seen: run.seen,
    seenProver: run.seenProver,
    seenStream: run.seenStream,
    watched: run.watched,
    get rpc() {
      const rpc = rpcAt('rpc')
      const takes = () => run.takesOverrides(rpc)
      if (driver?.onlyReads) return placeProbes(rpc, PLACED, takes)
      if (!driver?.lacksMoney) return rpc
      return placeProbes(rpc, richAccounts(driver.accounts), takes, { isOptional: true })
    },
    get rpcTestnet() {
      return rpcAt('rpcTestnet')
    },
    get rpcPlain() {
      return rpcAt('rpcPlain')
    },
    get prover() {
      return rpcAt('prover')
    },
    get l1() {
      return rpcAt('l1')
    },
    get enclave() {
      return enclaveAt(given('enclave'))
    },
    get launchHost() {
      return run.changeHost(createHostLauncher({ command: given('host'), clock, signal, limit }))
    },
    get launchEnclave() {
      return bootBy('enclaveCommand')
    },
    get launchLocalEnclave() {
      return bootBy('localEnclaveCommand')
    },
    targets,
    enclaveAt,
    connectTo: (url) => createJsonRpcClient(createHttpClient({ url, recorder, signal })),
    get api() {
      return http('api')
    },
    get driver() {
      return driver ?? notApplicable(NO_DRIVER)
    },
    note: (text) => void notes.push(text),
    overhear: (url, request, response) =>
      recorder.begin('http', url, JSON.stringify(request))(JSON.stringify(response), 200),
    attribution: run.attribution,
    draw: run.draw,
    startCallerWorld: run.startCallerWorld,
    limit,
    hasWebSocket: targets.ws !== undefined,
    async subscribeTo(onNotification) {
      const url = targets.ws ?? notApplicable('No WebSocket URL was given.')
      const socket = await openSubscriptionClient({
        url,
        recorder,
        clock,
        signal,
        headers: line.headers,
        onNotification,
      })
      sockets.push(socket)
      return socket
    },
    async scene(scene) {
      const staged = run.scenes.stage(scene, () => {
        // A scene outlives the case that asked first, so it has the run's signal, recorder and time.
        const own = recorderOf(run)
        const whole = { recorder: own, signal: run.signal, looksAt: new Set<ExchangeRecorder>() }
        const sceneLimit = limitOf(run, run.timeout ?? SCENE_TIMEOUT, () => [own, ...whole.looksAt])
        // It may wait for other scenes, such as proofs that are made one after the other: each has time of its own.
        const setting = createContext(run, { ...whole, limit: sceneLimit })
        return { ...setting, recorder: own, limit: sceneLimit }
      })
      looksAt.add(staged.recorder)
      const goOn = limit?.pause()
      try {
        return await staged.value
      } finally {
        goOn?.()
      }
    },
  }
  return {
    context,
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

/** JSON has no bigint and no undefined; both may be compared by a case. */
function toJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? `0x${part.toString(16)}` : part,
  )
  return text === undefined ? '(absent)' : JSON.parse(text)
}

function reasonOf(error: unknown): string {
  if (error instanceof RollbedError && error.hint) return `${error.message} ${error.hint}`
  return error instanceof Error ? error.message : String(error)
}
