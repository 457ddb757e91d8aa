import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

export const BWRAP = ['/usr/bin/bwrap', '/bin/bwrap'].find((path) => existsSync(path))

/** nobody: it owns nothing. */
const UID = '65534'
/** Where Node finds its shared libraries. */
const LIBRARIES = ['/usr', '/lib', '/lib64', '/bin']

/**
 * Arguments of bwrap(1) for a program that sees the system's libraries, its own image and its socket
 * directory, and is alone in every namespace. Its environment is empty.
 * @param imageDir read-only inside, in the socket directory
 */
export function bubblewrapArguments(options: {
  nodeBinary: string
  imageDir: string
  command: string[]
}): string[] {
  const { nodeBinary, imageDir, command } = options
  const bind = (kind: string, path: string) => [kind, path, path]
  return [
    ...['--unshare-user', '--uid', UID, '--gid', UID, '--cap-drop', 'ALL'],
    ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--as-pid-1', '--new-session', '--clearenv'],
    ...LIBRARIES.flatMap((path) => bind('--ro-bind-try', path)),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...bind('--ro-bind', realpathSync(nodeBinary)),
    ...bind('--bind', dirname(imageDir)),
    ...bind('--ro-bind', imageDir),
    ...['--remount-ro', '/', '--chdir', imageDir],
    // bwrap itself sets PWD.
    ...['--', '/usr/bin/env', '-i', ...command],
  ]
}
