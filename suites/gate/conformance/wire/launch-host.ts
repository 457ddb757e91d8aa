import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
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

/** A loopback port that nothing listens on right now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
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
