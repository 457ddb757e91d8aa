import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Runs a script of devnet/docs as its reader would, in a process of its own.
 * @returns what it prints
 * @throws when its exit code is not 0
 */
export async function runExample(name: string, devnetFile: string): Promise<unknown> {
  const script = fileURLToPath(new URL(`../../../devnet/docs/${name}`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, devnetFile])
  return JSON.parse(stdout)
}
