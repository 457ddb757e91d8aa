import type { FaultPlan } from '#devnet/faults/fault-plan'
import type { Violation } from '../checkers/checker.ts'
import type { Failure } from './failure.ts'
import { historyOf } from './history-of.ts'
import { joinFailures } from './join-failures.ts'
import { placeOf, plainProblem, targetsOf } from './place-of.ts'

export interface CorpusOptions {
  /** What is known already. */
  failures: readonly Failure[]
  body: Failure['body']
  /** What is played: a commit, a version. */
  build: string
  /** ISO 8601. */
  now(): string
  /** Told of all failures whenever one was added or played. */
  changed?(failures: readonly Failure[]): void
}

/** What a swarm has found, remembered from run to run. */
export class Corpus {
  readonly #options: CorpusOptions
  #failures: readonly Failure[]

  constructor(options: CorpusOptions) {
    this.#options = options
    this.#failures = joinFailures(options.failures)
  }

  /** All, the oldest first. */
  get failures(): readonly Failure[] {
    return this.#failures
  }

  /** What this part of a swarm plays before anything else, the oldest first. */
  toPlay(shard: { index: number; of: number }): Failure[] {
    const { body } = this.#options
    return this.#failures.filter(
      (failure) => failure.body === body && turnOf(failure.key) % shard.of === shard.index,
    )
  }

  /**
   * Notes that a failure was played again on this build.
   * @returns whether it broke: by the same checker
   */
  playedAgain(failure: Failure, violations: readonly Violation[]): boolean {
    const broke = violations.some(({ checker }) => checker === failure.checker)
    this.#join({ ...failure, plays: this.#play(broke) })
    return broke
  }

  /**
   * The failure that a run has met again, whose plan need not be shrunk: the same sentence was broken, and
   * all of the faults that it takes were in the plan. It is noted that it broke.
   */
  meets(plan: FaultPlan, [first]: readonly Violation[]): Failure | undefined {
    if (!first) return undefined
    const problem = plainProblem(first.problem)
    const targets = new Set(targetsOf(plan))
    const met = this.#failures.find(
      (known) =>
        known.body === this.#options.body &&
        known.checker === first.checker &&
        known.problem === problem &&
        known.where.every((target) => targets.has(target)),
    )
    if (met) this.#join({ ...met, plays: this.#play(true) })
    return met
  }

  /** @param violations of the plan, the first of them first; at least one */
  add(plan: FaultPlan, [first]: readonly Violation[]): Failure {
    if (!first) throw new Error('a plan that breaks nothing is no failure')
    const place = placeOf(first, plan, this.#options.body)
    const failure: Failure = { ...place, plan, plays: this.#play(true) }
    this.#join(failure)
    return failure
  }

  #play(broke: boolean): Failure['plays'] {
    return { [this.#options.build]: { at: this.#options.now(), broke } }
  }

  #join(failure: Failure): void {
    this.#failures = joinFailures(this.#failures, [failure])
    this.#options.changed?.(this.#failures)
  }

  /** Those that broke when they were last played. */
  broken(): Failure[] {
    return this.#failures.filter((failure) => historyOf(failure).mended === undefined)
  }
}

/** The same in every corpus, whatever else lies in it. */
const turnOf = (key: string): number => Number.parseInt(key.slice(-12), 16)
