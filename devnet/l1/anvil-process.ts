import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { type CreateAnvilOptions, createAnvil } from '@viem/anvil'
import type { Logger } from 'pino'
import { withTimeout } from '../../enclave-sim/protocol/clock/clock.ts'
import { systemClock } from '../../enclave-sim/protocol/clock/system-clock.ts'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'
import { endWithParent } from '../process/end-with-parent.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { portBusy } from '../process/port-busy.ts'
import { anvilBinary, anvilMissing } from './anvil-binary.ts'

/** A machine with much other work takes 10 s and more; milliseconds. */
const START_TIMEOUT = 60_000
/** What anvil has after SIGTERM before it gets SIGKILL; milliseconds. */
const STOP_TIMEOUT = 1_000

/** Two that start at once would take each other's child for their own, and one be left behind. */
let othersSpawned: Promise<void> = Promise.resolve()

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
  #released: Promise<void> = Promise.resolve()
  #port = 0
  readonly #exited = Promise.withResolvers<string>()
  #stopping: Promise<void> | undefined
  readonly #onProcessExit = () => this.#child?.kill('SIGKILL')

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
   * @throws PORT_BUSY, ANVIL_FAILED
   */
  async start(): Promise<void> {
    if (this.#state !== 'idle') throw new Error(`anvil is ${this.#state}`)
    this.#state = 'starting'
    const anvil = createAnvil({
      ...(this.#options as CreateAnvilOptions),
      anvilBinary: this.#binary,
      startTimeout: START_TIMEOUT,
    })
    // anvil picks and prints the port itself, so nobody can take it between choosing and binding.
    anvil.on('message', (message) => {
      this.#port ||= Number(/Listening on \S+:(\d+)/.exec(message)?.[1] ?? 0)
      this.#logger?.trace(message.trimEnd())
    })
    process.once('exit', this.#onProcessExit)
    const before = othersSpawned
    const { promise: spawned, resolve: letOthersSpawn } = Promise.withResolvers<void>()
    othersSpawned = spawned
    await before
    const stopWatching = this.#watchForChild(letOthersSpawn)
    try {
      await anvil.start()
    } catch (cause) {
      await this.stop()
      throw startFailure(cause, Number(this.#options.port ?? 0))
    } finally {
      letOthersSpawn()
      stopWatching()
    }
    this.#state = 'started'
  }

  /** Idempotent; the process is gone when it resolves. */
  stop(): Promise<void> {
    this.#stopping ??= this.#terminate()
    return this.#stopping
  }

  // Not createAnvil's own stop(): its timer holds the event loop for ten seconds and it sends one
  // SIGTERM only (wevm/anvil.js#46).
  async #terminate(): Promise<void> {
    const child = this.#child
    this.#state = 'stopping'
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      const late = () => new Error('anvil ignores SIGTERM')
      await withTimeout(systemClock, STOP_TIMEOUT, exited, late).catch(() => child.kill('SIGKILL'))
      await exited
    }
    await this.#released
    process.off('exit', this.#onProcessExit)
    this.#state = 'stopped'
  }

  /** createAnvil keeps its child to itself; Node announces every child it makes. */
  #watchForChild(onSpawn: () => void): () => void {
    const children = channel('child_process')
    const take = (message: unknown) => {
      const { process: child } = message as { process: ChildProcess }
      child.once('spawn', () => {
        if (child.spawnfile !== this.#binary || this.#child) return
        this.#child = child
        // createAnvil aborts it when it is late, which nobody else hears: start() says so.
        child.on('error', () => {})
        onSpawn()
        this.#released = endWithParent(child)
        child.once('exit', (code, signal) => this.#ended(signal ?? `code ${code}`))
      })
    }
    children.subscribe(take)
    return () => children.unsubscribe(take)
  }

  #ended(how: string): void {
    process.off('exit', this.#onProcessExit)
    this.#exited.resolve(`anvil ended with ${how}.`)
    if (this.#state !== 'started') return
    this.#state = 'stopped'
  }
}

function startFailure(cause: unknown, port: number): unknown {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/address already in use/i.test(message)) {
    return portBusy(Object.assign(new Error(message), { code: 'EADDRINUSE' }), 'L1', port)
  }
  return new RollbedError('ANVIL_FAILED', `anvil did not start: ${message.trim()}`, { cause })
}
