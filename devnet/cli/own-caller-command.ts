import { extname, join } from 'node:path'
import { quoteWord } from '#suites/gate/conformance/index'

const MAIN = join(import.meta.dirname, `main${extname(import.meta.filename)}`)
const FLAGS = {
  proposer: ['--finality', 'safe', '--interval', '1'],
  challenger: ['--interval', '1'],
  registrar: ['--interval', '1'],
}

/** The command that runs one of our own actors, for the devnet described in its folder. */
export function ownCallerCommand(kind: keyof typeof FLAGS): string {
  const command = [process.execPath, MAIN, 'actors', kind, ...FLAGS[kind]]
  return command.map(quoteWord).join(' ')
}
