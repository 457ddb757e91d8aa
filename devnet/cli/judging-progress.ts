import type { Clock, Timer } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Progress } from '#suites/gate/conformance/index'

/** Where it is written: standard error. */
interface Paper {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Milliseconds between two lines, and names in a line: the oldest are what a run waits for. */
interface Form {
  every: number
  names: number
}
/** A terminal is looked at; a log is read later. */
const TERMINAL: Form = { every: 1_000, names: 1 }
const LOG: Form = { every: 30_000, names: 5 }

/**
 * Says how far a run of the gate is, and what it waits for: on a terminal in one line, elsewhere by a line each half
 * minute.
 */
export class JudgingProgress {
  readonly #clock: Clock
  readonly #paper: Paper
  readonly #began: number
  readonly #form: Form
  #last: Progress | undefined
  /** The cursor of a terminal stands behind it. */
  #hasLine = false
  #tick: Timer | undefined

  constructor(clock: Clock, paper: Paper) {
    this.#clock = clock
    this.#paper = paper
    this.#began = clock.now()
    this.#form = paper.isTTY ? TERMINAL : LOG
  }

  begin(): void {
    this.#tick = this.#next()
  }

  take(progress: Progress): void {
    this.#last = progress
    if (this.#form === TERMINAL) this.#say()
  }

  end(): void {
    this.#tick?.cancel()
    if (this.#hasLine) this.#paper.write('\n')
    this.#hasLine = false
  }

  /** What a run that is interrupted now ends with. */
  interrupted(): RollbedError {
    return new RollbedError('INTERRUPTED', `Interrupted: ${this.#line(LOG)}.`)
  }

  #next(): Timer {
    return this.#clock.after(this.#form.every, () => {
      this.#say()
      this.#tick = this.#next()
    })
  }

  #say(): void {
    const line = this.#line(this.#form)
    this.#hasLine = this.#form === TERMINAL
    this.#paper.write(this.#hasLine ? `\r${line}\x1b[K` : `${line}\n`)
  }

  #line({ names: most }: Form): string {
    const seconds = Math.round((this.#clock.now() - this.#began) / 1_000)
    if (!this.#last) return `no case has a verdict after ${seconds} s`
    const { done, total, underWay } = this.#last
    const names = [...underWay]
    const more = names.length > most ? ` and ${names.length - most} more` : ''
    const waits = names.length ? `, under way: ${names.slice(0, most).join(', ')}${more}` : ''
    return `${done}/${total} cases after ${seconds} s${waits}`
  }
}
