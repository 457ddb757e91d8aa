import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { endWithParent } from '#devnet/base/process/end-with-parent'
import { systemClock } from '#protocol/clock/system-clock'

/** The command as a user has it. */
export const ROLLBED = join(import.meta.dirname, '..', '..', '..', 'devnet', 'cli', 'rollbed.sh')

/** Milliseconds after which `rollbed up`, and no other command, cuts off what still wants to end, with exit code 1. */
const CUT_OFF_AFTER = 1_800

/** @param took milliseconds from the signal to the end of the process */
export const wasCutOff = (exitCode: number | null, took: number): boolean =>
  exitCode === 1 && took >= CUT_OFF_AFTER

/** What the log says where a process got no processor: so busy a machine is no find of a test either. */
const STALLS = /^\{.*"msg":"event loop: .*\n/gm

export interface Outcome {
  exitCode: number | null
  stdout: string
  /** Without warnings of a busy machine. */
  stderr: string
}

export interface RollbedOptions {
  env?: NodeJS.ProcessEnv
  /** Fills the command's folder before it starts. */
  prepare?(folder: string): void
}

/** One `rollbed` command in a process group and a folder of its own, as a user would start it. */
export class RollbedProcess {
  readonly directory = mkdtempSync(join(tmpdir(), 'rollbed-e2e-'))
  readonly child: ChildProcess
  readonly #cutsOff: boolean
  readonly outcome: Promise<Outcome>
  #stdout = ''
  #stderr = ''

  constructor(args: string[], options: RollbedOptions = {}) {
    options.prepare?.(this.directory)
    // Of the other commands an exit code of 1 is what they found, however long they took to end.
    this.#cutsOff = args[0] === 'up'
    this.child = spawn(ROLLBED, args, {
      cwd: this.directory,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // It has a group of its own: whoever started it may be killed before he stops it.
    void endWithParent(this.child)
    this.child.stdout!.on('data', (chunk) => {
      this.#stdout += chunk
    })
    this.child.stderr!.on('data', (chunk) => {
      this.#stderr += chunk
    })
    this.outcome = once(this.child, 'close').then(([exitCode]) => {
      rmSync(this.directory, { recursive: true, force: true })
      return { exitCode, stdout: this.#stdout, stderr: this.#stderr.replaceAll(STALLS, '') }
    })
  }

  /** The first line on standard output; rejects when the process ends without one. */
  async firstLine(): Promise<string> {
    const ended = this.outcome.then(({ stderr }) => {
      throw new Error(`rollbed ended before it was ready: ${stderr}`)
    })
    while (!this.#stdout.includes('\n')) {
      await Promise.race([once(this.child.stdout!, 'data'), ended])
    }
    ended.catch(() => {})
    return this.#stdout.slice(0, this.#stdout.indexOf('\n'))
  }

  /** What standard error says that fits, now or later; rejects when the process ends without it. */
  async heard(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.outcome.then(({ stderr }) => {
      throw new Error(`rollbed ended without ${pattern}: ${stderr}`)
    })
    ended.catch(() => {})
    for (;;) {
      const found = pattern.exec(this.#stderr)
      if (found) return found
      await Promise.race([once(this.child.stderr!, 'data'), ended])
    }
  }

  /** What `up --json` printed. */
  async ready(): Promise<DevnetDescription> {
    return JSON.parse(await this.firstLine())
  }

  /**
   * Ends it, and tells how it ended. `rollbed up` cuts off what still wants to end after 1.8 s, with exit code 1, which
   * a machine comes to that is busy with other tests: as far as nothing else is said, that is a 0. Who asks how long
   * a stop takes looks at the clock (`suites/system/chaos/stop-under-load.test.ts`).
   */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Outcome> {
    const before = this.#stderr.replaceAll(STALLS, '')
    const began = systemClock.now()
    this.child.kill(signal)
    const outcome = await this.outcome
    const isCutOff = this.#cutsOff && wasCutOff(outcome.exitCode, systemClock.now() - began)
    return isCutOff && outcome.stderr === before ? { ...outcome, exitCode: 0 } : outcome
  }

  /** Ids of the processes that this command started, and they in turn. */
  descendants(): number[] {
    const running = processes()
    const found = [this.child.pid!]
    for (const pid of found) {
      found.push(...running.filter(({ parent }) => parent === pid).map((process) => process.pid))
    }
    return found.slice(1)
  }
}

/** Runs a command to its end. */
export function rollbed(args: string[], options: RollbedOptions = {}): Promise<Outcome> {
  return new RollbedProcess(args, options).outcome
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid)
}

/** From /proc/PID/stat: the second field after the command in parentheses is the parent. */
function processes(): { pid: number; parent: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return []
      }
    })
}
