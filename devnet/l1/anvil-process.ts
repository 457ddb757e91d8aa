import type { ChildProcess } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { type CreateAnvilOptions, createAnvil } from '@viem/anvil'
import type { Logger } from 'pino'
import { killWithParent } from '#devnet/base/process/kill-with-parent'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { portBusy } from '#devnet/base/process/port-busy'
import { withTimeout } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { anvilBinary, anvilMissing } from './anvil-binary.ts'

/** A machine with much other work takes 10 s and more; milliseconds. */
const START_TIMEOUT = 60_000
/** What anvil has after SIGTERM before it gets SIGKILL; milliseconds. */
const STOP_TIMEOUT = 1_000
/** Lines of its output that an error quotes. */
const LAST_LINES = 5

/**
 * A shell becomes anvil: where there is nothing to become, the shell says why and ends. A child that
 * cannot be spawned at all is for createAnvil a rejection that nobody handles, which ends our process.
 * What anvil makes, as its UNIX socket, is its owner's alone.
 */
const RUN = 'umask 077; exec "$@"'
/** createAnvil's own limit aborts the child, and that, too, is a rejection that nobody handles. */
const NEVER = 2 ** 31 - 1
/** How many were started: tells their children apart. */
let started = 0

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
    const mark = `rollbed anvil ${++started}`
    const anvil = createAnvil({
      ...(this.#options as CreateAnvilOptions),
      anvilBinary: this.#binary,
      startTimeout: NEVER,
      execArgs: ([binary, flags, options]) => [
        '/bin/sh',
        ['-c', RUN, mark, binary, ...flags],
        // Ctrl-C in the terminal is ours to answer: an anvil that heard it, too, could end first and be a loss.
        { ...(options as object), detached: true },
      ],
    })
    // anvil picks and prints the port itself, so nobody can take it between choosing and binding.
    anvil.on('message', (message) => {
      this.#port ||= Number(/Listening on \S+:(\d+)/.exec(message)?.[1] ?? 0)
      this.#logger?.trace(message.trimEnd())
    })
    const stopWatching = this.#watchForChild(mark)
    const starting = anvil.start()
    const late = new Error(`it did not listen within ${timeout / 1000} s.`)
    try {
      await withTimeout(systemClock, timeout, starting, () => late)
    } catch (why) {
      await this.stop()
      // Its last words come after its end, sometimes; and it may begin after it was stopped.
      await starting.catch(() => {})
      const how = why === late ? late.message : await this.exited
      throw startFailure([how, ...lastLines(anvil.logs)], Number(this.#options.port ?? 0))
    } finally {
      stopWatching()
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

  /** createAnvil keeps its child to itself; Node announces every child it makes. */
  #watchForChild(mark: string): () => void {
    const children = channel('child_process')
    const take = (message: unknown) => {
      const { process: child } = message as { process: ChildProcess }
      child.once('spawn', () => {
        if (!child.spawnargs.includes(mark)) return
        this.#child = child
        this.#kill = killWithParent(child, this.#exited.promise)
        child.once('exit', (code, signal) => this.#ended(signal ?? `code ${code}`))
        if (this.#state !== 'starting') child.kill('SIGKILL')
      })
    }
    children.subscribe(take)
    return () => children.unsubscribe(take)
  }

  #ended(how: string): void {
    this.#exited.resolve(`anvil ended with ${how}.`)
    if (this.#state !== 'started') return
    this.#state = 'stopped'
  }
}

function lastLines(messages: readonly string[]): string[] {
  return messages.join('').trimEnd().split('\n').slice(-LAST_LINES)
}

function startFailure(words: readonly string[], port: number): unknown {
  const message = words.join('\n').trimEnd()
  if (/address already in use/i.test(message))
    return portBusy(Object.assign(new Error(message), { code: 'EADDRINUSE' }), 'L1', port)
  return new RollbedError('ANVIL_FAILED', `anvil did not start: ${message}`)
}
