import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BaseLogger } from 'pino'
import type { Clock } from '#protocol/clock/clock'
import { enclaveCommand, type Isolation, isolatedCommand } from './isolation.ts'
import { openSeccompFilter } from './open-seccomp-filter.ts'
import { type Launchers, tellLauncher } from './start-launchers.ts'
import { type EnclaveProcess, superviseEnclave } from './supervise-enclave.ts'

/** Milliseconds from spawn to listening. */
const START_TIMEOUT = 60_000

/**
 * Starts an enclave with an empty environment and resolves once it says that it listens. Its own
 * process group: an interrupt from the terminal reaches the devnet alone, which then stops it. The
 * process id is that of the enclave itself, not of what isolates it.
 * @throws EnclaveStartFailed, IsolationUnavailable
 */
export async function startEnclaveProcess(options: {
  isolation: Isolation
  nodeBinary: string
  imageDir: string
  program: string
  /** Of this isolation. @default one is started now */
  launchers?: Pick<Launchers, 'take'> | undefined
  clock: Clock
  logger: BaseLogger
}): Promise<EnclaveProcess> {
  const { isolation, imageDir, launchers, clock, logger } = options
  const launcher = await launchers?.take()
  if (launcher) tellLauncher(launcher, imageDir, [...enclaveCommand(options)])
  const child = launcher ?? (await spawnIn(imageDir, isolation, options))
  const info = child.stdio[4] ? text(child.stdio[4] as Readable) : ''
  const enclave = await superviseEnclave(child, { timeout: START_TIMEOUT, clock, logger })
  return { ...enclave, pid: sandboxedPid(await info) ?? enclave.pid }
}

async function spawnIn(
  imageDir: string,
  isolation: Isolation,
  program: Parameters<typeof isolatedCommand>[1],
): Promise<ChildProcess> {
  const [file, ...args] = await isolatedCommand(isolation, program)
  const options = { cwd: imageDir, env: {}, detached: true }
  if (isolation !== 'bwrap')
    return spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  await using filter = await openSeccompFilter()
  return spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', filter.fd, 'pipe'] })
}

/** bwrap stays as the parent of what it starts, and tells its process id as JSON. */
function sandboxedPid(info: string): number | undefined {
  const [, pid] = /"child-pid": *(\d+)/.exec(info) ?? []
  return pid ? Number(pid) : undefined
}
