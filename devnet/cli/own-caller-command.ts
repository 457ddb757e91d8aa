import { extname, join } from 'node:path'
import { quoteWord } from '#suites/gate/conformance/index'
import { bundledProgram } from './up-program/is-fresh.ts'

/** The command line from its sources, which are read anew by each process. */
export const SOURCES = join(import.meta.dirname, `main${extname(import.meta.filename)}`)
const FLAGS = {
  proposer: ['--finality', 'safe', '--interval', '1'],
  challenger: ['--interval', '1'],
  registrar: ['--interval', '1'],
}

/**
 * The command that runs one of our own actors, for the devnet described in its folder.
 * @param program by default the one that starts soonest
 */
export function ownCallerCommand(
  kind: keyof typeof FLAGS,
  program: string = bundledProgram() ?? SOURCES,
): string {
  const command = [process.execPath, program, 'actors', kind, ...FLAGS[kind]]
  return command.map(quoteWord).join(' ')
}
