import type { Clock, Timer } from '#protocol/clock/clock'

/**
 * One life of a part that would be a process of its own: its time passes by its own clock, it can stand
 * still, and when it is killed nothing of it goes on. Started again, it is another.
 */
export class SimulatedProcess {
  readonly name: string
  /** Its timers wait while it stands still, and never fire once it has ended. */
  readonly clock: Clock
  #state: 'running' | 'stopped' | 'ended' = 'running'
  #backlog: (() => void)[] = []
  readonly #endings = new Set<() => void>()

  constructor(name: string, clock: Clock) {
    this.name = name
    this.clock = {
      now: () => clock.now(),
      after: (delay, action): Timer => {
        let isCancelled = false
        const timer = clock.after(delay, () => {
          this.run(() => {
            if (!isCancelled) action()
          })
        })
        return {
          cancel() {
            isCancelled = true
            timer.cancel()
          },
        }
      },
    }
  }

  get state(): 'running' | 'stopped' | 'ended' {
    return this.#state
  }

  /** Does something in its name: at once, or when it goes on, or never. */
  run(action: () => void): void {
    if (this.#state === 'running') action()
    else if (this.#state === 'stopped') this.#backlog.push(action)
  }

  /** Runs when it ends. Returns how to forget that. */
  onEnd(action: () => void): () => void {
    this.#endings.add(action)
    return () => this.#endings.delete(action)
  }

  /** As SIGSTOP. */
  stop(): void {
    if (this.#state === 'running') this.#state = 'stopped'
  }

  /** As SIGCONT. */
  continue(): void {
    if (this.#state !== 'stopped') return
    this.#state = 'running'
    for (const action of this.#backlog.splice(0)) this.run(action)
  }

  /** As SIGKILL. Idempotent. */
  kill(): void {
    this.#state = 'ended'
    this.#backlog = []
    for (const action of [...this.#endings]) action()
    this.#endings.clear()
  }
}
