/**
 * Becomes another program, confined: `node exec-confined.ts FILE ARGUMENT...`. Seccomp filter and
 * dropped capabilities outlive the exec, so the enclave's first instruction is confined, and its
 * image has no say in it. The environment is left behind. Without a FILE it waits, confined, until its
 * standard input has ended, on which it is told what it becomes (start-launchers.ts).
 */
import { readFileSync } from 'node:fs'
import koffi from 'koffi'
import { seccompFilter } from './seccomp-filter.ts'

/** Options of prctl(2). */
const PR_SET_SECCOMP = 22
const PR_CAPBSET_DROP = 24
const PR_SET_NO_NEW_PRIVS = 38
const SECCOMP_MODE_FILTER = 2
const LAST_CAPABILITY = 63
/** Command of fcntl(2). */
const F_SETFD = 2

const libc = koffi.load(null)
koffi.struct('sock_fprog', { len: 'uint16', filter: koffi.pointer('uint8_t') })
const prctl = libc.func(
  'int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)',
)
const setFilter = libc.func('prctl', 'int', ['int', 'unsigned long', 'sock_fprog *'])
const fcntl = libc.func('int fcntl(int, int, int)')
const execve = libc.func('int execve(const char *, const char **, const char **)')

// Node marks its standard streams to be closed on exec.
for (const descriptor of [0, 1, 2]) fcntl(descriptor, F_SETFD, 0)

// Effective capabilities end with the exec: root gets back only what is in the bounding set. Fails
// harmlessly for who has none.
for (let capability = 0; capability <= LAST_CAPABILITY; capability++)
  prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)

const filter = seccompFilter()
if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) fail('PR_SET_NO_NEW_PRIVS')
if (setFilter(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, { len: filter.length / 8, filter }) !== 0)
  fail('PR_SET_SECCOMP')
const [file, ...args] = process.argv.length > 2 ? process.argv.slice(2) : heard()
execve(file, [file, ...args, null], [null])
fail(`exec ${file}`)

function heard(): string[] {
  const text = readFileSync(0, 'utf8')
  // Who would have told it is gone.
  if (text === '') process.exit(0)
  const { directory, command } = JSON.parse(text) as { directory: string; command: string[] }
  process.chdir(directory)
  return command
}

function fail(call: string): never {
  const errno = koffi.errno()
  const name = Object.entries(koffi.os.errno).find(([, value]) => value === errno)?.[0]
  process.stderr.write(`${call}: ${name ?? errno}\n`)
  process.exit(1)
}
