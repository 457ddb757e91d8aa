import type { BaseLogger } from 'pino'
import { type Clock, sleep } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** What is wrong with a part of the devnet. */
export interface Trouble {
  /** As in `enclave 16`. */
  part: string
  /** One sentence. */
  problem: string
  /** Unix time in milliseconds. */
  since: number
  /** It can be read and takes nothing new, until this is over; then it goes on by itself. */
  waits?: true
}

export interface Health {
  /** Processes that ended by themselves and are not back. */
  dead: Trouble[]
  /** What will hurt if it goes on. */
  warnings: Trouble[]
}

/** A process that belongs to the devnet. */
export interface RunningPart {
  pid: number
  /** Resolves with how it ended, as in `it ended with SIGKILL.` */
  exited: Promise<string>
}

export interface WatchedPart {
  part: string
  running: RunningPart
  /** Brings it back. Without it the devnet is lost with it. */
  restart?: () => Promise<RunningPart>
}

/** Milliseconds before the first and at most before any later try to bring a part back. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000
/** A part that ran this long begins with the first pause again. */
const STEADY = 60_000

/**
 * Knows every child process: says at once which died, brings back what can come back, after growing
 * pauses, and says when the devnet is lost.
 */
export class Supervisor {
  readonly #clock: Clock
  readonly #logger: BaseLogger
  readonly #dead = new Map<string, Trouble>()
  readonly #pids = new Map<string, number>()
  readonly #warnings = new Map<string, Trouble>()
  readonly #ending = new AbortController()
  readonly #lost = Promise.withResolvers<RollbedError>()
  readonly #listeners = new Set<(trouble: Trouble) => void>()
  readonly #returnListeners = new Set<() => void>()

  constructor(options: { clock: Clock; logger: BaseLogger }) {
    this.#clock = options.clock
    this.#logger = options.logger
  }

  /** Resolves with PART_LOST once a part died that cannot come back. */
  get lost(): Promise<RollbedError> {
    return this.#lost.promise
  }

  health(): Health {
    return { dead: [...this.#dead.values()], warnings: [...this.#warnings.values()] }
  }

  /** undefined while it runs. */
  deathOf(part: string): Trouble | undefined {
    return this.#dead.get(part)
  }

  /** undefined for what is no process, or dead. */
  pidOf(part: string): number | undefined {
    return this.#pids.get(part)
  }

  /** Hears of deaths. Returns how to stop listening. */
  onDeath(listener: (trouble: Trouble) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Hears that a part that was dead runs again. Returns how to stop listening. */
  onReturn(listener: () => void): () => void {
    this.#returnListeners.add(listener)
    return () => this.#returnListeners.delete(listener)
  }

  watch(watched: WatchedPart): void {
    this.#follow(watched).catch((error) => {
      if (!this.#ending.signal.aborted) this.#logger.error(error, 'supervision ended')
    })
  }

  /** Says that a part takes nothing new and why, once, and once that it goes on: `undefined`. */
  wait(part: string, problem: string | undefined): void {
    this.#tell(part, problem, { waits: true })
  }

  /** Tells a problem once, and once that it is over: `undefined`. */
  warn(part: string, problem: string | undefined): void {
    this.#tell(part, problem)
  }

  #tell(part: string, problem: string | undefined, kind?: Pick<Trouble, 'waits'>): void {
    const known = this.#warnings.get(part)
    if (problem === undefined) {
      if (this.#warnings.delete(part)) this.#logger.warn(`${part}: well again`)
      return
    }
    const since = known?.since ?? this.#clock.now()
    this.#warnings.set(part, { part, problem, since, ...kind })
    if (!known) this.#logger.warn(`${part}: ${problem}`)
  }

  /** From here on parts end because they shall. */
  stop(): void {
    this.#ending.abort(new Error('The devnet stops.'))
  }

  async #follow({ part, running, restart }: WatchedPart): Promise<void> {
    let pause = FIRST_PAUSE
    for (let current: RunningPart | undefined = running; current; ) {
      const began = this.#clock.now()
      this.#pids.set(part, current.pid)
      const how = await current.exited
      this.#pids.delete(part)
      if (this.#ending.signal.aborted) return
      if (this.#clock.now() - began >= STEADY) pause = FIRST_PAUSE
      const name = `${part} (process ${current.pid})`
      if (!restart) return this.#loseAll(part, name, how)
      this.#declareDead(part, name, `${how} It is started again.`)
      current = undefined
      while (!current) {
        await sleep(this.#clock, pause, this.#ending.signal)
        pause = Math.min(pause * 2, LONGEST_PAUSE)
        current = await this.#tryTo(restart, part, pause)
      }
      this.#dead.delete(part)
      for (const listener of this.#returnListeners) listener()
      this.#logger.warn({ part, pid: current.pid }, `${part} runs again`)
    }
  }

  async #tryTo(restart: () => Promise<RunningPart>, part: string, pause: number) {
    try {
      return await restart()
    } catch (error) {
      if (!this.#ending.signal.aborted)
        this.#logger.error(error, `${part} did not start; the next try is in ${pause / 1000} s`)
      return undefined
    }
  }

  #loseAll(part: string, name: string, how: string): void {
    this.#declareDead(part, name, how)
    this.#lost.resolve(
      new RollbedError('PART_LOST', `${name} is dead: ${how} Without it the devnet cannot go on.`, {
        hint: 'Start the devnet again. A SIGKILL that nobody sent is most often for want of memory (see dmesg).',
      }),
    )
  }

  #declareDead(part: string, name: string, problem: string): void {
    const trouble = { part, problem, since: this.#clock.now() }
    this.#dead.set(part, trouble)
    this.#logger.error({ part }, `${name} is dead: ${problem}`)
    for (const listener of this.#listeners) listener(trouble)
  }
}
