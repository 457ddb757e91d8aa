import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/** A shell script that runs, with what came of it so far. */
export interface ShellProcess {
  pid: number | undefined
  /** Resolves with the exit code when it ended, null after a signal. */
  ended: Promise<number | null>
  isOver(): boolean
  /** Both of its outputs so far, the last megabyte. */
  output(): string
  interrupt(): void
  /** Ends it, and whatever it started and left in its process group. */
  kill(): void
}

const MAX_OUTPUT = 1_000_000

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killGroup(child)
})

/** Runs a script as its user's shell would. It ends with the signal at the latest. */
export function spawnShell(
  script: string,
  args: readonly string[],
  options: { signal: AbortSignal; cwd?: string; env?: Readonly<Record<string, string>> },
): ShellProcess {
  const { signal, ...where } = options
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    ...where,
    stdio: [...stdio],
    detached: true,
  })
  let output = ''
  const keep = (chunk: string) => {
    output = (output + chunk).slice(-MAX_OUTPUT)
  }
  child.stdout!.setEncoding('utf8').on('data', keep)
  child.stderr!.setEncoding('utf8').on('data', keep)
  const kill = () => killGroup(child)
  const letGo = endWithUs(child)
  let isOver = false
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null) => {
      isOver = true
      signal.removeEventListener('abort', kill)
      running.delete(child)
      letGo()
      resolve(code)
    }
    child.on('close', end).on('error', (error) => {
      keep(error.message)
      end(127)
    })
  })
  signal.addEventListener('abort', kill, { once: true })
  running.add(child)
  if (signal.aborted) kill()
  return {
    pid: child.pid,
    ended,
    isOver: () => isOver,
    output: () => output,
    interrupt: () => void child.kill('SIGINT'),
    kill,
  }
}

/**
 * A shell beside it that waits for our end, even by SIGKILL, and then kills the group. It is no child
 * of what is judged, whose processes a case may look at.
 *
 * @returns how to end that
 */
function endWithUs({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => undefined
  const guard = spawn('/bin/sh', ['-c', `read -r _; kill -9 -${pid}`], {
    // Neither Ctrl-C in the terminal nor a folder that goes away concerns it.
    ...{ detached: true, cwd: '/', env: {} },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined).unref()
  const input = guard.stdin as Socket
  input.on('error', () => undefined).unref()
  return () => void guard.kill('SIGKILL')
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
