import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { availableIsolation, launcherCommand } from './isolation.ts'

/** Processes that are isolated already, and wait for the program of an image that is not built yet. */
export interface Launchers extends OwnedResource {
  /** One of those that are left and live; undefined: none, or here a program begins isolated by itself. */
  take(): Promise<ChildProcess | undefined>
}

/**
 * Starts launchers for enclaves that are to boot as soon as their chain is known: what isolates them is a
 * Node.js of its own, which takes as long as theirs. One that is left behind ends with us, for it reads what to
 * become from us.
 */
export function startLaunchers(count: number): Launchers {
  const waiting = start(count).catch(() => [])
  return {
    async take() {
      const left = await waiting
      for (let child = left.shift(); child; child = left.shift()) if (lives(child)) return child
      return undefined
    },
    async stop() {
      const left = (await waiting).splice(0).filter(lives)
      for (const child of left) child.kill('SIGKILL')
      await Promise.all(left.map((child) => once(child, 'close')))
    },
  }
}

/** What it becomes. */
export function tellLauncher(launcher: ChildProcess, directory: string, command: string[]): void {
  launcher.stdin!.end(JSON.stringify({ directory, command }))
}

async function start(count: number): Promise<ChildProcess[]> {
  const command = count > 0 ? await launcherCommand(await availableIsolation()) : undefined
  if (!command) return []
  const [file, ...args] = command
  return Array.from({ length: count }, () => {
    const child = spawn(file, args, { cwd: '/', env: {}, detached: true })
    // Whoever needs it starts another, and is told what that lacks.
    for (const emitter of [child, child.stdin]) emitter.on('error', () => {})
    return child
  })
}

function lives({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}
