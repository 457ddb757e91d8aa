import type { EventRecorder } from '#devnet/faults/event-recorder'
import type { FaultEffects } from '#devnet/faults/fault-effects'
import type { FaultEngine } from '#devnet/faults/fault-engine'
import type { Clock } from '#protocol/clock/clock'
import { SimulatedProcess } from './simulated-process.ts'

export interface SimulatedPartOptions {
  /** As in `process:NAME`. */
  name: string
  clock: Clock
  recorder: EventRecorder
  faults: FaultEngine
  /** false: with its process all is lost, so that it can only stand still. @default true */
  comesBack?: boolean
  /** Of its files: what goes wrong with one is told without it, for it is another in each run. */
  workDir?: string
  /** Begins a life of the part, with nothing but what an earlier one has stored. */
  start(process: SimulatedProcess): Promise<void>
}

/** Milliseconds until a part that died is started again, as a supervisor would. */
const RESTART_DELAY = 1_000

/** A part of the world in its own process: it can be killed, stand still, and come back. */
export class SimulatedPart {
  readonly #options: SimulatedPartOptions
  #process: SimulatedProcess
  #isOver = false
  #restartDelay = RESTART_DELAY

  readonly #deaths: FaultEffects<'kill' | 'restart' | 'slow_start'> = {
    kill: () => this.#die(),
    restart: () => this.#die(0),
    slow_start: ({ delay }) => this.#die(delay),
  }

  constructor(options: SimulatedPartOptions) {
    this.#options = options
    this.#process = new SimulatedProcess(options.name, options.clock)
    const stop = { stop: () => this.silence() }
    const effects = { ...stop, ...(options.comesBack !== false && this.#deaths) }
    options.faults.register(`process:${options.name}`, effects)
  }

  get process(): SimulatedProcess {
    return this.#process
  }

  async start(): Promise<void> {
    const { name, clock, recorder, workDir, start } = this.#options
    const life = new SimulatedProcess(name, clock)
    this.#process = life
    life.onEnd(() => {
      recorder.record(name, 'ended', { how: 'killed' })
      const delay = this.#restartDelay
      this.#restartDelay = RESTART_DELAY
      if (!this.#isOver) clock.after(delay, () => void this.start())
    })
    try {
      await start(life)
      if (life.state !== 'ended') recorder.record(name, 'started')
    } catch (error) {
      const { message, code } = error as Error & { code?: string }
      const why = workDir ? message.replaceAll(`${workDir}/`, '') : message
      recorder.record(name, 'start.failed', { why, ...(code && { code }) })
      life.kill()
    }
  }

  /** @param delay milliseconds until it is started again */
  kill(delay = RESTART_DELAY): void {
    if (this.#process.state === 'ended') return
    this.#restartDelay = delay
    this.#process.kill()
  }

  #die(delay?: number): undefined {
    this.kill(delay)
  }

  /** For good. */
  end(): void {
    this.#isOver = true
    this.#process.kill()
  }

  /** It stands still. Returns how it goes on. */
  silence(): () => void {
    const { name, recorder } = this.#options
    const stopped = this.#process
    stopped.stop()
    recorder.record(name, 'stopped')
    return () => {
      stopped.continue()
      recorder.record(name, 'continued')
    }
  }
}
