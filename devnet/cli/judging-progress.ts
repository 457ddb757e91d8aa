import type { Clock, Timer } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Progress } from '#suites/gate/conformance/index'

/** Where it is written: standard error. */
interface Paper {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Milliseconds: a terminal is looked at; a log is read later. */
const EVERY_TTY = 1_000
const EVERY_LOG = 30_000
/** Names in a line; the oldest are what a run waits for. */
const NAMED = { tty: 1, log: 5 }

/**
 * Says how far a run of the gate is, and what it waits for: on a terminal in one line, elsewhere by a line each half
 * minute.
 */
export class JudgingProgress {
  readonly #clock: Clock
  readonly #paper: Paper
  readonly #began: number
  #last: Progress | undefined
  #tick: Timer | undefined

  constructor(clock: Clock, paper: Paper) {
    this.#clock = clock
    this.#paper = paper
    this.#began = clock.now()
  }

  begin(): void {
    this.#tick = this.#next()
  }

  take(progress: Progress): void {
    this.#last = progress
    if (this.#paper.isTTY) this.#say()
  }

  end(): void {
    this.#tick?.cancel()
    if (this.#paper.isTTY && this.#last) this.#paper.write('\n')
  }

  /** What a run that is interrupted now ends with. */
  interrupted(): RollbedError {
    return new RollbedError('INTERRUPTED', `Interrupted: ${this.#line(NAMED.log)}.`)
  }

  #next(): Timer {
    return this.#clock.after(this.#paper.isTTY ? EVERY_TTY : EVERY_LOG, () => {
      this.#say()
      this.#tick = this.#next()
    })
  }

  #say(): void {
    if (this.#paper.isTTY) this.#paper.write(`\r${this.#line(NAMED.tty)}\x1b[K`)
    else this.#paper.write(`${this.#line(NAMED.log)}\n`)
  }

  #line(most: number): string {
    const seconds = Math.round((this.#clock.now() - this.#began) / 1_000)
    if (!this.#last) return `no case has a verdict after ${seconds} s`
    const { done, total, underWay } = this.#last
    const names = [...underWay]
    const more = names.length > most ? ` and ${names.length - most} more` : ''
    const waits = names.length ? `, under way: ${names.slice(0, most).join(', ')}${more}` : ''
    return `${done}/${total} cases after ${seconds} s${waits}`
  }
}
