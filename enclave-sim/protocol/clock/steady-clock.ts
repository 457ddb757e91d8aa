import type { Clock, Timer } from './clock.ts'

export interface TimeSources {
  /** Milliseconds since the Unix epoch, as somebody set them; may jump either way. */
  wall(): number
  /** Milliseconds since some moment; whoever sets the time of day does not move it. */
  monotonic(): number
  after(delay: number, action: () => void): Timer
}

/** Somebody moved the wall clock, or the machine slept. Milliseconds. */
export interface ClockStep {
  /** How far the wall clock jumped; below zero: back. */
  by: number
  /** How far our time stands ahead of the wall clock from here on. */
  ahead: number
}

/** More than the two sources may differ by rounding between two looks; milliseconds. */
const TOLERANCE = 20
/** From here on a step is worth a word; milliseconds. */
const NOTABLE = 1_000

/**
 * The wall clock's time in whole milliseconds, at a steady pace and never backwards: where the wall clock is put back, our
 * time goes on from where it was and stays ahead, until the wall clock is put forward again. Where it
 * jumps forward (a machine that slept) our time follows.
 *
 * @example
 * const clock = new SteadyClock({ wall: () => Date.now(), monotonic: () => performance.now(), after })
 * clock.onStep(({ by }) => logger.warn(`the clock of this machine moved by ${by / 1000} s`))
 */
export class SteadyClock implements Clock {
  readonly #sources: TimeSources
  readonly #listeners = new Set<(step: ClockStep) => void>()
  #wall: number
  #monotonic: number
  #ahead = 0
  #last: number

  constructor(sources: TimeSources) {
    this.#sources = sources
    this.#wall = sources.wall()
    this.#monotonic = sources.monotonic()
    this.#last = this.#wall
  }

  now(): number {
    const wall = this.#sources.wall()
    const monotonic = this.#sources.monotonic()
    const passed = monotonic - this.#monotonic
    const step = Math.round(wall - this.#wall - passed)
    this.#wall = wall
    this.#monotonic = monotonic
    if (Math.abs(step) > TOLERANCE) this.#ahead = Math.max(0, this.#ahead - step)
    // Many small steps back must not add up to a long standstill.
    const behind = this.#last + passed - (wall + this.#ahead)
    if (behind > TOLERANCE) this.#ahead += behind - TOLERANCE
    this.#last = Math.max(this.#last, wall + this.#ahead)
    if (Math.abs(step) >= NOTABLE) this.#tell({ by: step, ahead: this.#ahead })
    // Whole, as the wall clock's: an attestation's timestamp, for one, is an integer.
    return Math.floor(this.#last)
  }

  /** Milliseconds from now in any case, whatever happens to the wall clock. */
  after(delay: number, action: () => void): Timer {
    return this.#sources.after(delay, action)
  }

  /** Listens for jumps of a second and more. Returns how to stop listening. */
  onStep(listener: (step: ClockStep) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(step: ClockStep): void {
    for (const listener of this.#listeners) listener(step)
  }
}
