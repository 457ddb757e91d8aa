import type { ChildProcess } from 'node:child_process'
import { endWithParent } from './end-with-parent.ts'

/**
 * Sees to it that a child that knows no graceful end is killed with this process.
 * @param exited resolves when the child ended
 * @returns kills it now; resolves when nothing of it is left
 */
export function killWithParent(child: ChildProcess, exited: Promise<unknown>): () => Promise<void> {
  const released = endWithParent(child)
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  exited.finally(() => process.off('exit', kill))
  return async () => {
    kill()
    await exited
    await released
  }
}
