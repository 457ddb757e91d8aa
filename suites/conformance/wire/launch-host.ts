import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { Clock } from '../../../enclave-sim/clock/clock.ts'
import type { HostFlags, HostProcess, LaunchHost } from '../../../mocks/index.ts'
import { poll } from '../poll.ts'

/** How long a host may take to listen or to give up, in milliseconds. */
const STARTS_WITHIN = 20_000
const MAX_OUTPUT = 1_000_000
/** A host that starts takes a core; more at once would only make all of them late. */
const STARTS_AT_ONCE = 2

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts prover hosts: the command, then the flags. `--listen` with port 0 becomes a free port.
 * Every host ends with the signal at the latest.
 */
export function createHostLauncher(options: {
  command: string
  clock: Clock
  signal: AbortSignal
}): LaunchHost {
  return (flags) => inTurn(() => launch(flags, options))
}

async function launch(
  flags: HostFlags,
  options: { command: string; clock: Clock; signal: AbortSignal },
): Promise<HostProcess> {
  const port = await freePort()
  const args = flags.flatMap(([flag, value]) => [
    flag,
    flag === '--listen' ? value.replace(/:0$/, `:${port}`) : value,
  ])
  // A shell reads the command as its user would; it gives way to the host, so signals reach that.
  const shell = ['-c', `exec ${options.command} "$@"`, 'sh']
  const child = spawn('/bin/sh', [...shell, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: string) => {
    output = (output + chunk).slice(-MAX_OUTPUT)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  let isOver = false
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null) => {
      isOver = true
      options.signal.removeEventListener('abort', kill)
      running.delete(child)
      resolve(code)
    }
    child.on('close', end).on('error', (error) => {
      keep(error.message)
      end(127)
    })
  })
  const kill = () => void child.kill('SIGKILL')
  options.signal.addEventListener('abort', kill, { once: true })
  running.add(child)
  if (options.signal.aborted) kill()

  const started = await poll({ ...options, every: 25, within: STARTS_WITHIN }, async () => {
    if (isOver) return 'ended'
    return (await isListening(port)) ? 'listening' : undefined
  })
  const host: HostProcess = {
    url: started === 'listening' ? `http://127.0.0.1:${port}` : undefined,
    ended,
    output: () => output,
    interrupt: () => void child.kill('SIGINT'),
  }
  return host
}

const waiting: (() => void)[] = []
let starting = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (starting >= STARTS_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else starting += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else starting -= 1
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
