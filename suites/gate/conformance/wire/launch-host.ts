import { createConnection, createServer, type Socket } from 'node:net'
import type { HostFlags, HostProcess, LaunchHost } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import { poll } from '../poll.ts'
import type { TimeLimit } from '../time-limit.ts'
import { spawnShell } from './spawn-shell.ts'
import { STARTS_WITHIN, startInTurn } from './start-in-turn.ts'

/**
 * Starts prover hosts: the command, then the flags. `--listen` with port 0 becomes a free port.
 * Every host ends with the signal at the latest.
 */
export function createHostLauncher(options: {
  command: string
  clock: Clock
  signal: AbortSignal
  limit?: TimeLimit | undefined
}): LaunchHost {
  return (flags) => startInTurn(() => launch(flags, options), options.limit)
}

async function launch(
  flags: HostFlags,
  options: { command: string; clock: Clock; signal: AbortSignal },
): Promise<HostProcess> {
  const port = await freePort()
  const args = flags.flatMap(([flag, value]) => {
    if (value === '') return [flag]
    return [flag, flag === '--listen' ? value.replace(/:0$/, `:${port}`) : value]
  })
  // The shell gives way to the host, so that signals reach that.
  const child = spawnShell(`exec ${options.command} "$@"`, args, options)

  const state = await poll({ ...options, every: 25, within: STARTS_WITHIN }, async () => {
    if (child.isOver()) return 'ended'
    return (await isListening(port)) ? 'listening' : undefined
  })
  return {
    state: state ?? 'late',
    url: state === 'listening' ? `http://127.0.0.1:${port}` : undefined,
    ended: child.ended,
    output: child.output,
    interrupt: child.interrupt,
  }
}

/**
 * Below the ports that a system hands out by itself (Linux from 32768 on, others later), and each another one: nobody
 * else, and no host of ours that is still starting, gets it before it is listened on.
 */
const [FIRST_PORT, PORTS] = [20_000, 12_000]
/** So many that gates in other processes seldom meet. */
const PORTS_EACH = 131
let drawn = 0

/** A loopback port that nothing listens on right now, and that is not given twice. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS; tried++) {
    const port = FIRST_PORT + ((process.pid * PORTS_EACH + drawn++) % PORTS)
    if (await canListen(port)) return port
  }
  throw new Error(`No port from ${FIRST_PORT} on is free.`)
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isFree) await new Promise((resolve) => server.close(resolve))
  return isFree
}

/** Whether something takes connections on a loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = createConnection({ host: '127.0.0.1', port })
    const settle = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
