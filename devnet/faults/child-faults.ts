import { readFileSync } from 'node:fs'
import type { FaultName } from './fault-catalogue.ts'
import type { BringAbout } from './fault-engine.ts'

/** What can be done to a child; whether it comes back is up to who watches it. */
export const CHILD_FAULTS: readonly FaultName[] = ['kill', 'stop', 'restart']

/**
 * Signals to a child process of ours and to all that it started.
 * @param pid of the child as it now is; undefined while there is none
 */
export function childFaults(pid: () => number | undefined): BringAbout {
  return (fault) => {
    const child = pid()
    if (child === undefined) return undefined
    if (fault !== 'stop') {
      signalAll(child, 'SIGKILL')
      return undefined
    }
    signalAll(child, 'SIGSTOP')
    return () => signalAll(child, 'SIGCONT')
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
