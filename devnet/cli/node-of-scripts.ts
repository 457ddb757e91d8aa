import { execFileSync } from 'node:child_process'

/**
 * The version of the Node that runs a user's scripts and tests: this process may run on one that the command
 * fetched for itself.
 * @returns such as 20.19.0; undefined where the PATH has none that tells
 */
export function nodeOfScripts(): string | undefined {
  try {
    const said = execFileSync('node', ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return said.trim().slice(1)
  } catch {
    return undefined
  }
}
