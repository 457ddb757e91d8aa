import { RollbedError } from '../errors/rollbed-error.ts'
import type { Clock, Timer } from './clock.ts'

export interface TravelClockOptions {
  /** Whose pace the clock keeps while nobody travels. */
  machine: Clock
  /** Milliseconds since the Unix epoch; the machine's time by default. */
  start?: number
  /** Time stands still but for `travel`. */
  isManual?: boolean
  /** Resolves when what can go on without time passing has done so. */
  settled(): Promise<void>
}

interface Alarm {
  at: number
  order: number
  action: () => void
  /** The machine's, while this clock keeps its pace. */
  timer?: Timer | undefined
}

/**
 * A clock that keeps the machine's pace, or stands still, and can be moved on: then all that falls due
 * on the way happens in order, each when everything before it has settled, as if the time had passed.
 *
 * @example
 * const clock = new TravelClock({ machine: systemClock, settled: () => work.settled() })
 * clock.after(1_740_000, () => timedOut())
 * await clock.travel(1_740_000)
 */
export class TravelClock implements Clock {
  readonly #machine: Clock
  readonly #settled: () => Promise<void>
  readonly #alarms = new Set<Alarm>()
  #order = 0
  /** Where time stands; undefined while it keeps the machine's pace. */
  #standsAt: number | undefined
  #ahead: number
  #isManual: boolean
  #isReleased = false
  #travels: Promise<unknown> = Promise.resolve()
  #travelling = 0

  constructor({ machine, start = machine.now(), isManual = false, settled }: TravelClockOptions) {
    this.#machine = machine
    this.#settled = settled
    this.#isManual = isManual
    this.#ahead = start - machine.now()
    this.#standsAt = isManual ? start : undefined
  }

  now(): number {
    return this.#standsAt ?? this.#machine.now() + this.#ahead
  }

  after(delay: number, action: () => void): Timer {
    const alarm: Alarm = { at: this.now() + Math.max(0, delay), order: this.#order++, action }
    this.#alarms.add(alarm)
    if (this.#standsAt === undefined) this.#arm(alarm)
    return {
      cancel: () => {
        alarm.timer?.cancel()
        this.#alarms.delete(alarm)
      },
    }
  }

  /** It is this time now, milliseconds since the Unix epoch. To be said before anybody waits. */
  beginAt(time: number): void {
    this.#ahead = time - this.#machine.now()
    if (this.#standsAt !== undefined) this.#standsAt = time
  }

  /** How far time is moved now, in milliseconds; 0 while nobody travels. */
  get travelling(): number {
    return this.#travelling
  }

  /**
   * The same time for somebody who only looks now and then: while time is moved, he waits at least
   * `step` milliseconds. A day would be long for those who look every 200 ms.
   * @param step of a journey of so many milliseconds
   */
  forLooks(step: (journey: number) => number): Clock {
    return {
      now: () => this.now(),
      after: (delay, action) => {
        const journey = this.#travelling
        return this.after(journey > 0 ? Math.max(delay, step(journey)) : delay, action)
      },
    }
  }

  /**
   * Moves time on by `duration` milliseconds, after all that was asked for before.
   * @param signal ends it where it is
   * @throws TimeCutShort
   */
  travel(duration: number, signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#travelTo(this.now() + duration, signal))
  }

  /**
   * Moves time on to a moment, milliseconds since the Unix epoch; one that is over changes nothing.
   * @throws TimeCutShort
   */
  travelTo(time: number, signal?: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#travelTo(time, signal))
  }

  /** From here on time keeps the machine's pace and nobody travels: what ends must not wait for it. */
  release(): void {
    this.#isReleased = true
    this.#isManual = false
    this.#goOn()
  }

  async #inTurn(travel: () => Promise<void>): Promise<void> {
    const done = this.#travels.then(travel)
    this.#travels = done.catch(() => {})
    await done
  }

  async #travelTo(until: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isReleased) throw new TimeCutShort(this.now(), until)
    this.#standStill()
    this.#travelling = Math.max(0, until - this.now())
    try {
      for (;;) {
        await this.#settled()
        if (signal?.aborted || this.#standsAt === undefined)
          throw new TimeCutShort(this.now(), until)
        const next = this.#next()
        if (!next || next.at > until) break
        this.#alarms.delete(next)
        this.#standsAt = Math.max(this.#standsAt, next.at)
        next.action()
      }
      this.#standsAt = Math.max(this.#standsAt, until)
      await this.#settled()
    } finally {
      this.#travelling = 0
      if (!this.#isManual) this.#goOn()
    }
  }

  #next(): Alarm | undefined {
    let next: Alarm | undefined
    for (const alarm of this.#alarms) {
      if (!next || alarm.at < next.at || (alarm.at === next.at && alarm.order < next.order))
        next = alarm
    }
    return next
  }

  #standStill(): void {
    if (this.#standsAt !== undefined) return
    this.#standsAt = this.now()
    for (const alarm of this.#alarms) alarm.timer?.cancel()
  }

  #goOn(): void {
    if (this.#standsAt === undefined) return
    this.#ahead = this.#standsAt - this.#machine.now()
    this.#standsAt = undefined
    for (const alarm of this.#alarms) this.#arm(alarm)
  }

  #arm(alarm: Alarm): void {
    // Its time may have come between two looks at the clock; Node.js warns of a delay below zero.
    alarm.timer = this.#machine.after(Math.max(0, alarm.at - this.now()), () => {
      this.#alarms.delete(alarm)
      alarm.action()
    })
  }
}

/** A journey through time did not come to its end: whoever waits for what was due must not take it for done. */
export class TimeCutShort extends RollbedError {
  constructor(now: number, until: number) {
    const [here, there] = [now, until].map((time) => Math.floor(time / 1000))
    super('TIME_CUT_SHORT', `Time was to pass until ${there}, and it is ${here} (Unix time).`, {
      hint: 'The devnet was stopped meanwhile, or the caller left; ask again once it runs.',
    })
  }
}
