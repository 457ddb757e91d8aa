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
        if (await takesConnections(path)) return 'listening'
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

/** Whether the enclave behind a hybrid vsock takes connections on its port. */
export function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    const settle = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => socket.write(`CONNECT ${ENCLAVE_PORT}\n`))
    socket.once('data', (answer) => settle(/^OK /.test(answer.toString())))
    socket.once('error', () => settle(false)).once('close', () => settle(false))
  })
}

/** The descendants of a process that started no other. Source: proc_pid_task_children(5). */
async function innermost(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const pids = children.split(' ').filter(Boolean)
  if (pids.length === 0) return [pid]
  return (await Promise.all(pids.map((child) => innermost(Number(child))))).flat()
}
