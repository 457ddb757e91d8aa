import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevnetDescription } from '../../devnet/config.ts'

const COMMAND = join(import.meta.dirname, '..', '..', 'devnet', 'cli', 'rollbed.sh')

export interface Outcome {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** One `rollbed` command in a process group and a folder of its own, as a user would start it. */
export class RollbedProcess {
  readonly directory = mkdtempSync(join(tmpdir(), 'rollbed-e2e-'))
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
  #stdout = ''
  #stderr = ''

  constructor(args: string[], options: { directory?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.child = spawn(COMMAND, args, {
      cwd: options.directory ?? this.directory,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout!.on('data', (chunk) => {
      this.#stdout += chunk
    })
    this.child.stderr!.on('data', (chunk) => {
      this.#stderr += chunk
    })
    this.outcome = once(this.child, 'close').then(([exitCode]) => {
      rmSync(this.directory, { recursive: true, force: true })
      return { exitCode, stdout: this.#stdout, stderr: this.#stderr }
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

  /** What `up --json` printed. */
  async ready(): Promise<DevnetDescription> {
    return JSON.parse(await this.firstLine())
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Outcome> {
    this.child.kill(signal)
    return this.outcome
  }

  /** Process ids that still belong to this command's process group. */
  survivors(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => groupOf(pid) === this.child.pid)
      .map(Number)
  }
}

/** Runs a command to its end. */
export function rollbed(
  args: string[],
  options: { directory?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  return new RollbedProcess(args, options).outcome
}

/** Process group from /proc/PID/stat: the third field after the command in parentheses. */
function groupOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : Number(group)
  } catch {
    return undefined
  }
}
