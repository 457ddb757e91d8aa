import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { withTimeout } from '../../enclave-sim/protocol/clock/clock.ts'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'
import { killWithParent } from '../process/kill-with-parent.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { portBusy } from '../process/port-busy.ts'
import { anvilBinary, anvilMissing } from './anvil-binary.ts'

/** A machine with much other work takes 10 s and more; milliseconds. */
const START_TIMEOUT = 60_000
/** What anvil has after SIGTERM before it gets SIGKILL; milliseconds. */
const STOP_TIMEOUT = 1_000
/** Lines of its output that an error quotes. */
const LAST_LINES = 5

type AnvilState = 'idle' | 'starting' | 'started' | 'stopping' | 'stopped'

/** Command-line options of anvil in camel case; `port: 0` takes a free one. */
export type AnvilOptions = Record<string, string | number | boolean>

/** One anvil child process: it never outlives us, and says when it ends by itself. */
export class AnvilProcess implements OwnedResource {
  readonly #options: AnvilOptions
  readonly #binary: string
  readonly #logger: Logger | undefined
  #state: AnvilState = 'idle'
  #child: ChildProcess | undefined
  #kill: (() => Promise<void>) | undefined
  #port = 0
  readonly #exited = Promise.withResolvers<string>()
  #stopping: Promise<void> | undefined

  /** @throws ANVIL_MISSING */
  constructor(options: AnvilOptions, binary = anvilBinary(), logger?: Logger) {
    if (!existsSync(binary)) throw anvilMissing(binary)
    this.#options = options
    this.#binary = binary
    this.#logger = logger
  }

  get state(): AnvilState {
    return this.#state
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves with how it ended, for whatever reason. */
  get exited(): Promise<string> {
    return this.#exited.promise
  }

  /** The port it listens on; 0 before it is started. */
  get port(): number {
    return this.#port
  }

  /**
   * Resolves once anvil listens.
   * @param timeout milliseconds until it counts as not started
   * @throws PORT_BUSY, ANVIL_FAILED
   */
  async start(timeout = START_TIMEOUT): Promise<void> {
    if (this.#state !== 'idle') throw new Error(`anvil is ${this.#state}`)
    this.#state = 'starting'
    const late = () => new Error(`it did not listen within ${timeout / 1000} s.`)
    try {
      const child = spawn(this.#binary, flagsOf(this.#options), {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      this.#child = child
      const listening = this.#listening(child)
      this.#kill = killWithParent(child, this.#exited.promise)
      await withTimeout(systemClock, timeout, listening, late)
    } catch (cause) {
      await this.stop()
      throw startFailure(cause as Error, Number(this.#options.port ?? 0))
    }
    this.#state = 'started'
  }

  /** Idempotent; the process is gone when it resolves. */
  stop(): Promise<void> {
    this.#stopping ??= this.#terminate()
    return this.#stopping
  }

  async #terminate(): Promise<void> {
    this.#state = 'stopping'
    this.#child?.kill('SIGTERM')
    const late = () => new Error('anvil ignores SIGTERM')
    if (this.#kill) await withTimeout(systemClock, STOP_TIMEOUT, this.exited, late).catch(() => {})
    await this.#kill?.()
    this.#state = 'stopped'
  }

  /** Resolves with its first word of a port; rejects with how it ended before, in its own last words. */
  #listening(child: ChildProcess): Promise<void> {
    const last: string[] = []
    return new Promise((resolve, reject) => {
      const hear = (line: string) => {
        this.#logger?.trace(line)
        if (this.#port) return
        // anvil picks and prints the port itself, so nobody can take it between choosing and binding.
        this.#port = Number(/Listening on \S+:(\d+)/.exec(line)?.[1] ?? 0)
        if (this.#port) return resolve()
        last.push(line)
        if (last.length > LAST_LINES) last.shift()
      }
      for (const input of [child.stdout!, child.stderr!])
        createInterface({ input }).on('line', hear)
      child.on('error', (error) => {
        reject(error)
        this.#ended(error.message)
      })
      // Its output comes after its end, sometimes.
      child.once('close', (code, signal) => {
        const how = signal ?? `code ${code}`
        reject(new Error([`it ended with ${how}.`, ...last].join('\n')))
      })
      child.once('exit', (code, signal) => this.#ended(signal ?? `code ${code}`))
    })
  }

  #ended(how: string): void {
    this.#exited.resolve(`anvil ended with ${how}.`)
    if (this.#state !== 'started') return
    this.#state = 'stopped'
  }
}

/** `slotsInAnEpoch: 2, noMining: true` is `--slots-in-an-epoch 2 --no-mining`; what is false is left out. */
function flagsOf(options: AnvilOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (value === false) return []
    return value === true ? [flag] : [flag, String(value)]
  })
}

function startFailure(cause: Error, port: number): unknown {
  const { message } = cause
  if (/address already in use/i.test(message)) {
    return portBusy(Object.assign(new Error(message), { code: 'EADDRINUSE' }), 'L1', port)
  }
  return new RollbedError('ANVIL_FAILED', `anvil did not start: ${message}`, { cause })
}
