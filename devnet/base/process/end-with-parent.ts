import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'

/**
 * Keeps the process ids of our children, one a line, and strikes out those with a minus before them.
 * The end of its input is our end, however that came: then it kills who is left.
 */
const GUARD = `
pids=' '
while read -r line; do
  case $line in
    -*) pid=\${line#-}; pids="\${pids%% $pid *} \${pids#* $pid }" ;;
    *) pids="$pids$line " ;;
  esac
done
[ -z "\${pids# }" ] || kill -9 $pids 2>/dev/null
`

let guard: ChildProcess | undefined
/** Process ids of the children that live. */
const living = new Set<number>()

/**
 * Sees to it that a child ends when this process does, or this worker thread, even by SIGKILL or for
 * want of memory: a shell that only waits for our end kills it then. It is shared by all children and
 * leaves with the last; where somebody kills it, another takes its place.
 *
 * @returns resolves when the child has ended and, after the last, the guard too
 */
export async function endWithParent(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  living.add(pid)
  if (guard) guard.stdin!.write(`${pid}\n`)
  else guard = startGuard()
  await once(child, 'exit')
  living.delete(pid)
  const own = guard
  if (living.size > 0) return void own?.stdin?.write(`-${pid}\n`)
  guard = undefined
  if (!own) return
  const gone = own.exitCode === null && own.signalCode === null && once(own, 'exit')
  own.ref()
  own.stdin!.end(`-${pid}\n`)
  await gone
}

/** A guard of all children that live. */
function startGuard(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', GUARD], {
    // Neither Ctrl-C in the terminal nor a folder that goes away concerns it.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const input = shell.stdin as Socket
  input.unref()
  // Without it children are as safe as their parent is: nothing to fail for.
  input.on('error', () => {})
  shell.on('error', () => {})
  shell.once('exit', (_code, signal) => {
    if (guard !== shell) return
    // One that ended without being killed would do so again.
    guard = signal ? startGuard() : undefined
  })
  for (const pid of living) input.write(`${pid}\n`)
  return shell
}
