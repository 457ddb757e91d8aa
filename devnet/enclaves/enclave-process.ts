import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { BaseLogger } from 'pino'
import { type Clock, withTimeout } from '../../enclave-sim/clock/clock.ts'
import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'
import type { OwnedResource } from '../process/owned-resource.ts'
import { type Isolation, isolatedCommand } from './isolation.ts'
import { openSeccompFilter } from './open-seccomp-filter.ts'

export interface EnclaveProcess extends OwnedResource {
  /** Of the enclave itself, not of what isolates it. */
  pid: number
  /** Resolves when the process ended, for whatever reason, with its last word. */
  exited: Promise<string>
}

/** Milliseconds from spawn to listening. */
const START_TIMEOUT = 15_000
/** The last words of a process that are kept for its error message. */
const STDERR_KEPT = 2_000

/**
 * Starts an enclave with an empty environment and resolves once it says that it listens. Its own
 * process group: an interrupt from the terminal reaches the devnet alone, which then stops it.
 * @throws EnclaveStartFailed, IsolationUnavailable
 */
export async function startEnclaveProcess(options: {
  isolation: Isolation
  nodeBinary: string
  imageDir: string
  program: string
  clock: Clock
  logger: BaseLogger
}): Promise<EnclaveProcess> {
  const { isolation, imageDir, clock, logger } = options
  const [file, ...args] = await isolatedCommand(isolation, options)
  const child = await spawnIn(imageDir, isolation, file, args)
  const exited = lastWords(child, logger)
  const info = child.stdio[4] ? text(child.stdio[4] as Readable) : ''
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  exited.finally(() => process.off('exit', kill))

  const stop = async () => {
    // The enclave has no graceful shutdown (ENC-START-10).
    kill()
    await exited
  }
  try {
    const ended = exited.then((reason) => Promise.reject(new EnclaveStartFailed(reason)))
    const ready = listening(child.stdout!, logger)
    await withTimeout(
      clock,
      START_TIMEOUT,
      Promise.race([ready, ended]),
      () => new EnclaveStartFailed(`it does not listen after ${START_TIMEOUT / 1000} s`),
    )
    return { pid: sandboxedPid(await info) ?? child.pid!, exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function spawnIn(
  cwd: string,
  isolation: Isolation,
  file: string,
  args: string[],
): Promise<ChildProcess> {
  const options = { cwd, env: {}, detached: true }
  if (isolation !== 'bwrap')
    return spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  await using filter = await openSeccompFilter()
  return spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', filter.fd, 'pipe'] })
}

/** bwrap stays as the parent of what it starts, and tells its process id as JSON. */
function sandboxedPid(info: string): number | undefined {
  if (!info) return undefined
  const told: { 'child-pid': number } = JSON.parse(info)
  return told['child-pid']
}

/** Forwards the log lines; resolves at the one that says `listening`. */
function listening(stdout: Readable, logger: BaseLogger): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const { event, ...fields } = parseLine(line)
      logger.debug(fields, `enclave ${event}`)
      if (event === 'listening') resolve()
    })
  })
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed ? { ...parsed } : { event: line }
  } catch {
    return { event: line }
  }
}

/** Resolves when the child ended, with why, and its output is read to the end. */
async function lastWords(child: ChildProcess, logger: BaseLogger): Promise<string> {
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT)
    logger.warn(text.trimEnd())
  })
  try {
    const [code, signal] = await once(child, 'close')
    return `it ended with ${signal ?? `code ${code}`}. ${stderr.trim()}`.trim()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export class EnclaveStartFailed extends RollbedError {
  constructor(reason: string) {
    super('ENCLAVE_START_FAILED', `The enclave did not start: ${reason}`)
  }
}
