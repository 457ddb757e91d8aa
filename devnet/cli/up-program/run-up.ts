import { runCommandLine } from '../run-command-line.ts'

/** What the bundle begins with: of the commands it holds only these, which live on the same code. */
export function runUp(args: string[]): Promise<number> {
  return runCommandLine(args, {
    up: async () => (await import('../up.ts')).addUpCommand,
    host: async () => (await import('../host.ts')).addHostCommand,
    actors: async () => (await import('../actors.ts')).addActorsCommand,
  })
}
