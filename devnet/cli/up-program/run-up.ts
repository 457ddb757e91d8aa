import { runCommandLine } from '../run-command-line.ts'

/** What the bundle of `rollbed up` begins with: of the commands it holds only this one. */
export function runUp(args: string[]): Promise<number> {
  return runCommandLine(args, { up: async () => (await import('../up.ts')).addUpCommand })
}
