import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { BaseLogger } from 'pino'
import { killWithParent } from '#devnet/base/process/kill-with-parent'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'

export interface EnclaveProcess extends OwnedResource {
  pid: number
  /** Resolves when the process ended, for whatever reason, with its last word. */
  exited: Promise<string>
}

export interface SuperviseOptions {
  /** Milliseconds until it has to listen. */
  timeout: number
  clock: Clock
  logger: BaseLogger
  /** Told of each line of the enclave's log. */
  onEvent?: (event: string, fields: Record<string, unknown>) => void
}

/** The last words of a process that are kept for its error message. */
const WORDS_KEPT = 4_000
/** A line that gets longer is cut there. */
const LINE_LIMIT = 16_384

/**
 * Owns a child that prints an enclave's log on standard output: resolves once that says `listening`.
 * @throws EnclaveStartFailed with what the child printed besides; it is gone then
 */
export async function superviseEnclave(
  child: ChildProcess,
  options: SuperviseOptions,
): Promise<EnclaveProcess> {
  const { timeout, clock, logger, onEvent } = options
  let words = ''
  const keep = (text: string) => {
    words = (words + text).slice(-WORDS_KEPT)
  }
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    keep(text)
    logger.warn(text.trimEnd())
  })
  const listening = new Promise<void>((resolve) => {
    eachLine(child.stdout!, (line) => {
      const { event, ...fields } = parseLine(line)
      if (typeof event !== 'string') return keep(`${line}\n`)
      logger.debug(fields, `enclave ${event}`)
      onEvent?.(event, fields)
      if (event === 'listening') resolve()
    })
  })
  const exited = ended(child).then((how) => `${how} ${words.trim()}`.trim())

  // The enclave has no graceful shutdown (ENC-START-10).
  const stop = killWithParent(child, exited)
  const late = () =>
    new EnclaveStartFailed(`it does not listen after ${timeout / 1000} s. ${words.trim()}`.trim())
  try {
    const failed = exited.then((reason) => Promise.reject(new EnclaveStartFailed(reason)))
    await withTimeout(clock, timeout, Promise.race([listening, failed]), late)
    return { pid: child.pid!, exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Resolves with how the child ended, once its output is read to the end. */
async function ended(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close')
    return `it ended with ${signal ?? `code ${code}`}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Not node:readline, which keeps a line however long it gets. */
function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop()!.slice(0, LINE_LIMIT)
    for (const line of lines) onLine(line)
  })
}

/** Whatever else is printed has no `event`. */
function parseLine(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed ? { ...parsed } : {}
  } catch {
    return {}
  }
}

export class EnclaveStartFailed extends RollbedError {
  constructor(reason: string) {
    super('ENCLAVE_START_FAILED', `The enclave did not start: ${reason}`)
  }
}
