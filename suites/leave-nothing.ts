import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What Node and Playwright keep there for their next start. */
const CACHE = /-cache(-\d+)?$/

/**
 * Gives a run of tests a folder of its own for what is temporary, and fails it where something is left there at
 * the end: then a test did not clear up, or what it started did not. The name is short because paths
 * of UNIX sockets must be.
 */
export default function leaveNothing(): () => void {
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'rt-'))
  // Some tests are of what other users reach in it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => {
    const left = readdirSync(folder).filter((name) => !CACHE.test(name))
    rmSync(folder, { recursive: true, force: true })
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    if (left.length > 0) {
      throw new Error(`Tests have left in the folder for temporary files: ${left.join(', ')}.`)
    }
  }
}
