import { readFile, readlink } from 'node:fs/promises'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Isolation } from './isolation.ts'

const NAMESPACES = { bwrap: ['net', 'pid', 'mnt', 'user', 'ipc', 'uts'], netns: ['net'] } as const

/**
 * Checks from outside, through /proc, that a process is isolated: the child's own word counts for
 * nothing (ENC-PROTO-02).
 * @throws IsolationBroken with everything that is wrong
 */
export async function checkIsolation(isolation: Isolation, pid: number): Promise<void> {
  if (isolation === 'none') return
  const problems = await confinementProblems(pid).catch(unreadable)
  if (isolation !== 'seccomp') {
    problems.push(...(await networkProblems(pid).catch(unreadable)))
    for (const name of NAMESPACES[isolation])
      if (await sharesNamespace(pid, name)) problems.push(`it shares our ${name} namespace`)
  }
  if (problems.length) throw new IsolationBroken(pid, problems)
}

/** Source: proc_pid_status(5). */
async function confinementProblems(pid: number): Promise<string[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)$`, 'm').exec(status)?.[1]
  return [
    field('Seccomp') === '2' ? [] : 'it has no seccomp filter',
    field('NoNewPrivs') === '1' ? [] : 'it may gain privileges',
    /^0+$/.test(field('CapEff') ?? '') ? [] : 'it has capabilities',
  ].flat()
}

async function networkProblems(pid: number): Promise<string[]> {
  // Two lines of heading, then a line per interface.
  const devices = (await readFile(`/proc/${pid}/net/dev`, 'utf8')).trim().split('\n').slice(2)
  const names = devices.map((line) => line.split(':')[0]!.trim()).filter((name) => name !== 'lo')
  return names.map((name) => `it has the network interface ${name}`)
}

async function sharesNamespace(pid: number, name: string): Promise<boolean> {
  const namespace = (of: string | number) => readlink(`/proc/${of}/ns/${name}`)
  // Who cannot be looked at is taken for not isolated.
  return Promise.all([namespace('self'), namespace(pid)]).then(
    ([own, theirs]) => own === theirs,
    () => true,
  )
}

const unreadable = (): string[] => ['it cannot be looked at']

export class IsolationBroken extends RollbedError {
  constructor(pid: number, problems: string[]) {
    super('ISOLATION_BROKEN', `Enclave process ${pid} is not isolated: ${problems.join(', ')}.`)
  }
}
