import {
  type Mutant,
  type MutantProxy,
  type MutantProxyOptions,
  makeMistake,
  startEnclaveProxy,
  startMutantProxy,
  ZOO,
} from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import type { CaseResult } from '#reports/model'
import { type ConformanceCase, startsProcesses } from './conformance-case.ts'
import type { CallerKind } from './drivers/caller-world.ts'
import type { JudgeOptions } from './judge-case.ts'
import {
  compareRuns,
  describeVerdict,
  isKilling,
  isNoticed,
  type MutantOutcome,
  type MutantReport,
} from './mutant-outcome.ts'
import { runConformance } from './run-conformance.ts'
import { SceneStore } from './scenes/scene-store.ts'
import { matchesId, selectCases } from './select-cases.ts'
import { oxAttribution } from './spec/ox-attribution.ts'
import { CALLER_TARGETS, type Targets } from './targets.ts'

export interface MutantOptions
  extends Pick<JudgeOptions, 'clock' | 'driver' | 'signal' | 'startCallerWorld' | 'profile'> {
  /** A target that conforms: what it is known to pass, a mutant of it must not. */
  targets: Targets
  /** A mutant id, area or rule id, or globs of them, separated by commas. */
  only?: string
  /** Default: the whole zoo. */
  zoo?: readonly Mutant[]
  onProgress?: (progress: { done: number; total: number; outcome: MutantOutcome }) => void
  /** Mutants judged at once. Default 8: most of the time they wait for blocks. */
  concurrency?: number
}

type Cache = NonNullable<MutantProxyOptions['cache']>

interface Judged {
  mutant?: Mutant
  noteChange?: () => void
  /** Whether the run may end with this result. */
  isEnough?: (result: CaseResult) => boolean
}

/**
 * Proves the gate: each mutant must be noticed by a case that quotes the rule it breaks. A proxy stands
 * before the target for each mutant; the target itself is judged first.
 *
 * @param options `targets` of one that conforms; `only` a mutant id, area or rule id, or globs of them
 * @returns the outcome of every mutant, in the order of the zoo; time in milliseconds
 * @throws TargetUnreachable when a URL does not answer
 * @see suites/gate/mutants
 * @example
 * import { mutantsExitCode, runMutants, summariseMutants } from 'rollbed/conform'
 *
 * const targets = { rpc: devnet.description.rpcUrl }
 * const report = await runMutants({ targets, only: 'RPC-ENV-05' })
 * console.log(summariseMutants(report))
 * if (mutantsExitCode(report) !== 0) throw new Error('The gate missed it.')
 */
export async function runMutants(options: MutantOptions): Promise<MutantReport> {
  const { targets, clock = systemClock } = options
  const start = clock.now()
  const zoo = selectMutants(options)
  const facts = new SceneStore()
  const cache: Cache = new Map()
  const judge = async (cases: readonly ConformanceCase[], { mutant, ...of }: Judged = {}) => {
    const proxy = await standIn({ targets, mutant, clock, cache, noteChange: of.noteChange })
    const enough = new AbortController()
    const judged: CaseResult[] = []
    try {
      const run = await runConformance({
        targets: proxy.targets,
        cases,
        clock,
        factsOf: facts,
        // Each is a process and a world: most often the first few notice.
        ...(mutant && isCaller(mutant.target) && { concurrency: 1 }),
        ...(mutant && inProcess(mutant, clock)),
        ...(options.startCallerWorld && { startCallerWorld: options.startCallerWorld }),
        ...(options.driver ? { driver: options.driver } : {}),
        ...(options.profile && { profile: options.profile }),
        signal: AbortSignal.any([enough.signal, ...(options.signal ? [options.signal] : [])]),
        onProgress({ result }) {
          judged.push(result)
          if (of.isEnough?.(result)) enough.abort()
        },
      })
      return run.cases
    } catch (error) {
      if (!enough.signal.aborted) throw error
      return judged
    } finally {
      await proxy.stop()
    }
  }

  const reachable = zoo.filter(
    ({ target }) => target === 'attribution' || targets[target] !== undefined,
  )
  const healthyCases = selectCases().filter((test) =>
    reachable.some((mutant) => mayNotice(mutant, test)),
  )
  const healthy = reachable.length > 0 ? await judge(healthyCases) : []
  const passed = new Set(healthy.filter((each) => each.verdict === 'pass').map((each) => each.id))
  const outcomes: MutantOutcome[] = []
  const tell = (outcome: MutantOutcome) => {
    outcomes.push(outcome)
    options.onProgress?.({ done: outcomes.length, total: zoo.length, outcome })
  }
  /** Until a case of the broken rule notices: what others would say by then is of no use. */
  const play = async (mutant: Mutant, of: (test: ConformanceCase) => boolean) => {
    options.signal?.throwIfAborted()
    const cases = reachable.includes(mutant) ? selectCases().filter(of) : []
    let isMet = !mutant.tellsChange
    const noteChange = () => {
      isMet = true
    }
    const isEnough = (result: CaseResult) =>
      passed.has(result.id) && isKilling(result) && result.rules.includes(mutant.rule)
    const sick = cases.length > 0 ? await judge(cases, { mutant, noteChange, isEnough }) : []
    const compared = compareRuns(mutant, passed, sick)
    return compared.verdict === 'survived' && !isMet
      ? { ...compared, verdict: 'not-met' as const }
      : compared
  }
  // One iterator for all workers: each takes the next.
  const queue = zoo.values()
  const toPlayAlone: Mutant[] = []
  const worker = async () => {
    for (const mutant of queue) {
      const hasCasesAlone = isDisruptive(mutant)
      // The cases of its rule most often suffice, and take a tenth of the time of its whole area.
      let outcome = await play(mutant, (test) => !test.isDisruptive && isAimedAt(mutant, test))
      if (outcome.verdict !== 'killed' && !hasCasesAlone)
        outcome = await play(mutant, (test) => mayNotice(mutant, test))
      const hasNoMore = !hasCasesAlone && ['not-run', 'not-met'].includes(outcome.verdict)
      if (isNoticed(outcome) || hasNoMore) tell(outcome)
      // Among others a gate looks less often than it does alone.
      else toPlayAlone.push(mutant)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency ?? 8 }, worker))
  for (const mutant of toPlayAlone) tell(await play(mutant, (test) => mayNotice(mutant, test)))
  return {
    duration: clock.now() - start,
    outcomes: zoo.map((mutant) => outcomes.find((outcome) => outcome.id === mutant.id)!),
    unfitCases: healthy.filter(({ verdict }) => verdict !== 'pass').map(describeVerdict),
  }
}

/**
 * One mutant of each area: enough to see that the gate is awake.
 *
 * @param zoo all mutants by default
 * @example
 * import { oneMutantPerArea } from 'rollbed/conform'
 *
 * console.log(oneMutantPerArea().map(({ id }) => id))
 */
export function oneMutantPerArea(zoo: readonly Mutant[] = ZOO): Mutant[] {
  return [...new Map([...zoo].reverse().map((mutant) => [mutant.area, mutant])).values()].reverse()
}

/** Those of today's chain are judged there alone, and no others. */
function selectMutants({ zoo = ZOO, only, profile }: MutantOptions): readonly Mutant[] {
  const ofChain = zoo.filter(({ area }) => (area === 'today') === (profile === 'today'))
  if (!only) return ofChain
  return ofChain.filter((mutant) =>
    [mutant.id, mutant.area, mutant.rule].some((name) => matchesId(name, only)),
  )
}

/** What runs in this process, with the mistake of a mutant that makes one there. */
function inProcess(mutant: Mutant, clock: Clock) {
  if (!isInProcess(mutant)) return {}
  const { attribution, host, boot } = mutant.apply({ clock, ask: async () => null })
  return {
    ...(attribution && { attribution: attribution(oxAttribution) }),
    ...(host && { changeHost: host }),
    ...(boot && { changeEnclave: boot }),
  }
}

const IN_PROCESS: readonly Mutant['target'][] = [
  'attribution',
  'host',
  'enclaveCommand',
  'localEnclaveCommand',
]

function isInProcess({ target }: Mutant): boolean {
  return IN_PROCESS.includes(target)
}

/** Whether only a case that must run alone can notice it. */
function isDisruptive(mutant: Mutant): boolean {
  return selectCases().some((test) => test.isDisruptive && isAimedAt(mutant, test))
}

/** Those of its rule, and of its area whatever is quick: those that start processes run for the rules they quote. */
function mayNotice(mutant: Mutant, test: ConformanceCase): boolean {
  const isCheap = !test.isDisruptive && !startsProcesses(test)
  return isAimedAt(mutant, test) || (test.area === mutant.area && isCheap)
}

function isAimedAt(mutant: Mutant, test: ConformanceCase): boolean {
  return test.area === mutant.area && test.rules.includes(mutant.rule)
}

function isCaller(target: Mutant['target']): target is CallerKind {
  return CALLER_TARGETS.some((name) => name === target)
}

/** The targets with a proxy in front of the mutant's, and of the prover, whose proofs are kept. */
async function standIn({
  targets,
  mutant,
  clock,
  cache,
  noteChange,
}: {
  targets: Targets
  mutant: Mutant | undefined
  clock: Clock
  cache: Cache
  noteChange: (() => void) | undefined
}): Promise<{ targets: Targets; stop(): Promise<void> }> {
  const listener = noteChange && { noteChange }
  const proxies: Pick<MutantProxy, 'url' | 'stop'>[] = []
  const changed = { ...targets }
  const put = async (name: keyof Targets, isMutated: boolean) => {
    const target = targets[name]
    if (!target) return
    const proxy = await startMutantProxy({
      target,
      clock,
      ...(mutant && isMutated ? { mutant, ...listener } : {}),
      ...(name === 'prover' ? { cache, isCached: isProof } : {}),
    })
    proxies.push(proxy)
    changed[name] = proxy.url
  }
  if (mutant?.target === 'enclave' && targets.enclave) {
    const proxy = await startEnclaveProxy({
      target: targets.enclave,
      mutant,
      clock,
      ...listener,
    })
    proxies.push(proxy)
    changed.enclave = proxy.url
  } else if (mutant && isCaller(mutant.target)) {
    const { mistake } = mutant.apply({ clock, ask: async () => null })
    const command = targets[mutant.target]
    if (command && mistake) changed[mutant.target] = makeMistake(command, mistake)
  } else if (mutant && mutant.target !== 'attribution' && !isInProcess(mutant)) {
    await put(mutant.target, true)
  }
  if (mutant?.target !== 'prover') await put('prover', false)
  return {
    targets: changed,
    stop: async () => {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
    },
  }
}

/** Proofs are deterministic and slow, so every mutant gets the same one. */
function isProof(body: string): boolean {
  return body.includes('"prover_prove"')
}
