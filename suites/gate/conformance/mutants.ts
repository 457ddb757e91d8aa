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

/**
 * killed: a case that quotes the broken rule noticed. killed-by-others: only cases of other rules
 * did. survived: none did. not-run: its target's URL was not given, or no case ran. not-met: generated, and
 * in all answers of the run its mistake changed nothing: the wrong value was the right one, or its moment
 * never came.
 */
export interface MutantOutcome {
  id: string
  rule: string
  area: string
  says: string
  verdict: 'killed' | 'killed-by-others' | 'survived' | 'not-run' | 'not-met'
  /** Cases that passed on the target and not on the mutant, those that quote the rule first. */
  killers: string[]
  /** Cases of the rule that had no verdict on the mutant, each with the reason: none of them may kill. */
  unjudged: string[]
  /** A generated mutant changes a request; any case may notice. */
  isGenerated?: true
}

export interface MutantReport {
  /** Milliseconds. */
  duration: number
  outcomes: MutantOutcome[]
  /** Cases that do not even pass on the target itself, each with the reason; they can kill nothing. */
  unfitCases: string[]
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
 * show(summariseMutants(report))
 * if (mutantsExitCode(report) !== 0) throw new Error('The gate missed it.')
 */
export async function runMutants(options: MutantOptions): Promise<MutantReport> {
  const { targets, clock = systemClock } = options
  const start = clock.now()
  const zoo = selectMutants(options)
  const facts = new SceneStore()
  const cache: Cache = new Map()
  const judge = async (
    cases: readonly ConformanceCase[],
    mutant?: Mutant,
    noteChange?: () => void,
  ) => {
    const proxy = await standIn({ targets, mutant, clock, cache, noteChange })
    try {
      const run = await runConformance({
        targets: proxy.targets,
        cases,
        clock,
        factsOf: facts,
        ...(mutant && inProcess(mutant, clock)),
        ...(options.startCallerWorld && { startCallerWorld: options.startCallerWorld }),
        ...(options.driver ? { driver: options.driver } : {}),
        ...(options.profile && { profile: options.profile }),
        ...(options.signal ? { signal: options.signal } : {}),
      })
      return run.cases
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
  const outcomes: MutantOutcome[] = []
  const tell = (outcome: MutantOutcome) => {
    outcomes.push(outcome)
    options.onProgress?.({ done: outcomes.length, total: zoo.length, outcome })
  }
  const play = async (mutant: Mutant, of: (test: ConformanceCase) => boolean) => {
    options.signal?.throwIfAborted()
    const cases = reachable.includes(mutant) ? selectCases().filter(of) : []
    let isMet = !mutant.tellsChange
    const noteChange = () => {
      isMet = true
    }
    const sick = cases.length > 0 ? await judge(cases, mutant, noteChange) : []
    const compared = compare(mutant, healthy, sick)
    return compared.verdict === 'survived' && !isMet
      ? { ...compared, verdict: 'not-met' as const }
      : compared
  }
  const queue = [...zoo]
  const toPlayAlone: Mutant[] = []
  const worker = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const broken = mutant
      // The cases of its rule most often suffice, and take a tenth of the time of its whole area.
      const ofRule = await play(broken, (test) => !test.isDisruptive && isAimedAt(broken, test))
      if (ofRule.verdict === 'killed') tell(ofRule)
      else if (isDisruptive(broken)) toPlayAlone.push(broken)
      else tell(await play(broken, (test) => mayNotice(broken, test)))
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
 * show(oneMutantPerArea().map(({ id }) => id))
 */
export function oneMutantPerArea(zoo: readonly Mutant[] = ZOO): Mutant[] {
  return [...new Map([...zoo].reverse().map((mutant) => [mutant.area, mutant])).values()].reverse()
}

/**
 * 0 when every mutant that ran was noticed by a case of its own rule, 1 otherwise.
 *
 * @param report of `runMutants`
 * @example
 * import { mutantsExitCode } from 'rollbed/conform'
 *
 * show(mutantsExitCode({ duration: 0, outcomes: [], unfitCases: [] })) // 0
 */
export function mutantsExitCode(report: MutantReport): 0 | 1 {
  const ran = report.outcomes.filter(
    ({ verdict }) => verdict !== 'not-run' && verdict !== 'not-met',
  )
  const isNoticed = ({ verdict, isGenerated }: MutantOutcome) =>
    verdict === 'killed' || (isGenerated === true && verdict === 'killed-by-others')
  return ran.length > 0 && ran.every(isNoticed) ? 0 : 1
}

/**
 * Survivors and accidental kills in full, cases that could not kill, then counts. Plain text of several
 * lines.
 *
 * @param report of `runMutants`
 * @example
 * import { summariseMutants } from 'rollbed/conform'
 *
 * show(summariseMutants({ duration: 0, outcomes: [], unfitCases: [] }))
 */
export function summariseMutants(report: MutantReport): string {
  const bad = report.outcomes.filter(
    ({ verdict, isGenerated }) =>
      verdict !== 'killed' &&
      verdict !== 'not-met' &&
      !(isGenerated && verdict === 'killed-by-others'),
  )
  const count = (verdict: MutantOutcome['verdict']) =>
    report.outcomes.filter((outcome) => outcome.verdict === verdict).length
  return [
    ...bad.map(({ verdict, id, rule, says, killers, unjudged }) =>
      [
        `${verdict} ${id} [${rule}] ${says}`,
        ...killers.slice(0, 5).map((each) => `  by ${each}`),
        ...unjudged.map((each) => `  without a verdict: ${each}`),
      ].join('\n'),
    ),
    ...report.unfitCases.map((each) => `no pass on the target itself: ${each}`),
    `${report.outcomes.length} mutants, ${report.outcomes.filter(({ isGenerated }) => isGenerated).length} of them generated, in ${(report.duration / 1000).toFixed(1)} s: ` +
      `${count('killed')} killed, ${count('killed-by-others')} by cases of other rules only, ` +
      `${count('survived')} survived, ${count('not-met')} not met, ${count('not-run')} not run`,
  ].join('\n')
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

function compare(
  mutant: Mutant,
  healthy: readonly CaseResult[],
  sick: readonly CaseResult[],
): MutantOutcome {
  const passed = new Set(healthy.filter((each) => each.verdict === 'pass').map((each) => each.id))
  const killing = sick.filter(
    ({ id, verdict }) => passed.has(id) && (verdict === 'fail' || verdict === 'non-strict'),
  )
  const intended = killing.filter((each) => each.rules.includes(mutant.rule))
  const others = killing.filter((each) => !intended.includes(each))
  const { id, rule, area, says } = mutant
  return {
    id,
    rule,
    area,
    says,
    verdict:
      sick.length === 0
        ? 'not-run'
        : intended.length > 0
          ? 'killed'
          : others.length > 0
            ? 'killed-by-others'
            : 'survived',
    killers: [...intended, ...others].map((each) => each.id),
    unjudged: sick
      .filter((each) => each.verdict === 'unknown' && each.rules.includes(mutant.rule))
      .map(describeVerdict),
    ...(mutant.isGenerated && { isGenerated: true as const }),
  }
}

function describeVerdict({ id, verdict, reason = verdict }: CaseResult): string {
  return `${id}: ${reason}`
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
