import type { ChildProcess } from 'node:child_process'
import { endWithParent } from './end-with-parent.ts'

const children = new Set<ChildProcess>()

/**
 * Sees to it that a child that ends when it likes is killed with this process.
 * @param exited resolves when the child ended, or could not be started
 * @returns kills it now; resolves when nothing of it is left
 */
export function killWithParent(child: ChildProcess, exited: Promise<unknown>): () => Promise<void> {
  const released = endWithParent(child)
  // One listener for all: a gate has a dozen of them at once, and Node warns of the eleventh.
  if (children.size === 0) process.on('exit', killAll)
  children.add(child)
  exited.finally(() => {
    children.delete(child)
    if (children.size === 0) process.off('exit', killAll)
  })
  return async () => {
    child.kill('SIGKILL')
    await exited
    await released
  }
}

function killAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
