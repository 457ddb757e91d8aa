import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { killWithParent } from '#devnet/base/process/kill-with-parent'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { EnclaveStartFailed } from '../supervise-enclave.ts'

/** Milliseconds. */
const START_TIMEOUT = 10_000
/** The last words that are kept for the error message. */
const WORDS_KEPT = 2_000

/**
 * Starts the process of a guest's vsock device, and resolves once its socket for QEMU is there.
 * @param command of `vsockDeviceCommand`
 * @param socket path of the socket it makes
 * @throws EnclaveStartFailed; it is gone then
 */
export async function startVsockDevice(
  command: [string, ...string[]],
  socket: string,
  clock: Clock,
): Promise<OwnedResource & { exited: Promise<string> }> {
  const appeared = whenThere(socket)
  const [file, ...args] = command
  const child = spawn(file, args, { env: {}, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-WORDS_KEPT)
  })
  const exited = once(child, 'close').then(
    ([code, signal]) => `it ended with ${signal ?? `code ${code}`}. ${words.trim()}`.trim(),
    (error: Error) => error.message,
  )
  const stop = killWithParent(child, exited)
  const failure = (reason: string) => new EnclaveStartFailed(`vhost-device-vsock: ${reason}`)
  try {
    const failed = exited.then((reason) => Promise.reject(failure(reason)))
    const late = () => failure(`no socket after ${START_TIMEOUT / 1000} s. ${words}`)
    await withTimeout(clock, START_TIMEOUT, Promise.race([appeared.there, failed]), late)
    return { stop, exited }
  } catch (error) {
    await stop()
    throw error
  } finally {
    appeared.cancel()
  }
}

/** It listens a moment after its name appears, long before QEMU, which starts then, connects. */
function whenThere(path: string): { there: Promise<void>; cancel(): void } {
  const watcher = watch(dirname(path))
  const there = new Promise<void>((resolve) => {
    watcher.on('change', () => {
      if (existsSync(path)) resolve()
    })
  })
  return { there, cancel: () => watcher.close() }
}
