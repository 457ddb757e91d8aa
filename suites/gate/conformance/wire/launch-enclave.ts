import { readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { type LaunchEnclave, VSOCK } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import { poll } from '../poll.ts'
import type { TimeLimit } from '../time-limit.ts'
import { spawnShell } from './spawn-shell.ts'
import { STARTS_WITHIN, startInTurn } from './start-in-turn.ts'

const ENCLAVE_PORT = 8000
/** Milliseconds from a connection to its acknowledgement; another one is tried where it does not come. */
const DIALS_WITHIN = 10_000

/** Boots enclaves by a command. Every one ends with the signal at the latest. */
export function createEnclaveLauncher(options: {
  command: string
  clock: Clock
  signal: AbortSignal
  limit?: TimeLimit | undefined
}): LaunchEnclave {
  const { command, signal } = options
  return ({ folder, env }) =>
    startInTurn(async () => {
      const child = spawnShell(command, [], { signal, cwd: folder, env })
      const path = join(folder, VSOCK)
      const state = await poll({ ...options, every: 10, within: STARTS_WITHIN }, async () => {
        if ((await dialEnclave(path, options)) === 'taken') return 'listening'
        return child.isOver() ? 'ended' : undefined
      })
      return {
        state: state ?? 'late',
        pids: async () => (child.pid === undefined ? [] : innermost(child.pid)),
        ended: child.ended,
        output: child.output,
        kill: child.kill,
      }
    }, options.limit)
}

/**
 * Whether the enclave behind a hybrid vsock takes connections on its port: `queued` where its socket does, and
 * nobody says anything for ten seconds.
 */
export function dialEnclave(
  path: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<'taken' | 'refused' | 'queued'> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    const settle = (how: 'taken' | 'refused' | 'queued') => {
      timer.cancel()
      signal.removeEventListener('abort', abort)
      socket.destroy()
      resolve(how)
    }
    const timer = clock.after(DIALS_WITHIN, () => settle(socket.connecting ? 'refused' : 'queued'))
    const abort = () => settle('refused')
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => socket.write(`CONNECT ${ENCLAVE_PORT}\n`))
    socket.once('data', (answer) => settle(/^OK /.test(answer.toString()) ? 'taken' : 'refused'))
    socket.once('error', () => settle('refused')).once('close', () => settle('refused'))
    if (signal.aborted) abort()
  })
}

/** The descendants of a process that started no other. Source: proc_pid_task_children(5). */
async function innermost(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const pids = children.split(' ').filter(Boolean)
  if (pids.length === 0) return [pid]
  return (await Promise.all(pids.map((child) => innermost(Number(child))))).flat()
}
