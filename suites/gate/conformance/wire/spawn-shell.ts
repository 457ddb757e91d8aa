import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** A shell script that runs, with what came of it so far. */
export interface ShellProcess {
  pid: number | undefined
  /** Resolves with the exit code when it ended, null after a signal; what it started may go on. */
  ended: Promise<number | null>
  isOver(): boolean
  /** Both of its outputs so far, the last megabyte. */
  output(): string
  interrupt(): void
  /** Ends it, and whatever it started and left in its process group. */
  kill(): void
}

const MAX_OUTPUT = 1_000_000
/** It begins once there is somebody who ends it after us: we may die before that, and then nothing of it runs. */
const ONCE_GUARDED = 'read -r _ <&3 || exit; exec 3<&-'
/** One in which the end is told, and one in which all that lies there is read. */
const ROUNDS_TO_READ = 3

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
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn('/bin/sh', ['-c', `${ONCE_GUARDED}\n${script}`, 'sh', ...args], {
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
  const letGo = endWithUs(child)
  const start = child.stdio[3] as Socket
  start.on('error', () => undefined).end('\n', () => start.destroy())
  let [hasExited, isKilled, isGone, isOver] = [false, false, false, false]
  const closed = Promise.withResolvers<void>()
  /** Nobody is left in the group: its number may be somebody else's by and by. */
  const leave = () => {
    isGone = true
    signal.removeEventListener('abort', kill)
    running.delete(child)
    letGo()
  }
  const kill = () => {
    if (isGone) return
    isKilled = true
    killGroup(child)
    if (hasExited) leave()
  }
  const ended = new Promise<number | null>((resolve) => {
    const end = async (code: number | null) => {
      if (hasExited) return
      hasExited = true
      if (isKilled || isEmptyGroup(child)) leave()
      // Of who was killed the others die with it, and whoever starts it again is not to meet them.
      if (isKilled && child.pid !== undefined) await closed.promise
      // What it wrote lies in the pipes: a round of the loop reads it, whoever else holds them open.
      for (let round = 1; round <= ROUNDS_TO_READ; round++) await setImmediate()
      isOver = true
      resolve(code)
    }
    child.on('exit', end).on('error', (error) => {
      keep(error.message)
      void end(127)
    })
    child.on('close', () => {
      closed.resolve()
      if (!isGone && isEmptyGroup(child)) leave()
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

function isEmptyGroup({ pid }: ChildProcess): boolean {
  try {
    if (pid !== undefined) process.kill(-pid, 0)
    return pid === undefined
  } catch {
    return true
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
