import { readFileSync } from 'node:fs'
import type { FaultEffects } from './fault-effects.ts'

/**
 * Signals to a child process of ours and to all that it started; whether it comes back is up to who
 * watches it.
 * @param pid of the child as it now is; undefined while there is none
 */
export function childFaults(pid: () => number | undefined): FaultEffects<'kill' | 'stop'> {
  return {
    kill() {
      const child = pid()
      if (child !== undefined) signalAll(child, 'SIGKILL')
      return undefined
    },
    stop() {
      const child = pid()
      if (child === undefined) return undefined
      signalAll(child, 'SIGSTOP')
      return () => signalAll(child, 'SIGCONT')
    },
  }
}

function signalAll(pid: number, signal: NodeJS.Signals): void {
  for (const child of [...descendants(pid), pid]) {
    try {
      process.kill(child, signal)
    } catch {
      // It ended meanwhile.
    }
  }
}

function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children
      .split(' ')
      .filter(Boolean)
      .map(Number)
      .flatMap((child) => [child, ...descendants(child)])
  } catch {
    return []
  }
}
