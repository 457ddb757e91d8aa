import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'

/** `netns`: in a network namespace of its own, without an interface that is up. */
export type Isolation = 'netns' | 'none'

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'].find((path) => existsSync(path))

/** The strongest isolation this machine allows; tried once per process. */
export function availableIsolation(): Promise<Isolation> {
  probing ??= new Promise((resolve) => {
    if (!UNSHARE) return resolve('none')
    execFile(UNSHARE, ['-n', 'true'], (error) => resolve(error ? 'none' : 'netns'))
  })
  return probing
}

let probing: Promise<Isolation> | undefined

/** The command line that starts `command` isolated. It execs, so the process id stays. */
export function isolated(isolation: Isolation, command: string[]): [string, ...string[]] {
  const [file, ...rest] = isolation === 'netns' && UNSHARE ? [UNSHARE, '-n', ...command] : command
  return [file!, ...rest]
}

/**
 * Checks from outside, through /proc, that a process is isolated: the child's own word counts for
 * nothing (ENC-PROTO-02).
 * @throws IsolationBroken
 */
export async function checkIsolation(isolation: Isolation, pid: number): Promise<void> {
  if (isolation === 'none') return
  const [own, theirs, devices] = await Promise.all([
    readlink('/proc/self/ns/net'),
    readlink(`/proc/${pid}/ns/net`),
    readFile(`/proc/${pid}/net/dev`, 'utf8'),
  ])
  // Two lines of heading, then a line per interface.
  const interfaces = devices.trim().split('\n').slice(2)
  const others = interfaces.filter((line) => !line.trim().startsWith('lo:'))
  if (own === theirs || others.length) throw new IsolationBroken(pid)
}

export class IsolationBroken extends RollbedError {
  constructor(pid: number) {
    super('ISOLATION_BROKEN', `Enclave process ${pid} is not in a network namespace of its own.`)
  }
}
