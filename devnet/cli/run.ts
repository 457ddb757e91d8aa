import { Command, CommanderError } from 'commander'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'
import { packageVersion } from '../package-version.ts'
import { addActorsCommand } from './actors.ts'
import { addAttestationCommand } from './attestation.ts'
import { addAttributionCommand } from './attribution.ts'
import { addConformCommand } from './conform.ts'
import { addDoctorCommand } from './doctor.ts'
import { ExitCode, exitCodeOf } from './exit-code.ts'
import { addFollowCommand } from './follow.ts'
import { addHostCommand } from './host.ts'
import { addJournalCommand } from './journal.ts'
import { asMachineError } from './machine-error.ts'
import { addProveCommand } from './prove.ts'
import { addReportCommand } from './report.ts'
import { addScenarioCommand } from './scenario.ts'
import { addUpCommand } from './up.ts'

/**
 * Runs one command line.
 *
 * @param args without the interpreter and the script
 * @returns the exit code; errors are printed to standard error as `CODE: sentence` and a hint
 */
export async function run(args: string[]): Promise<number> {
  let exitCode: number = ExitCode.ok
  const finish = (code: number) => {
    exitCode = code
  }
  const program = new Command('rollbed')
    .description('A Base-like rollup devnet, and a conformance gate for its nodes and provers.')
    .version(packageVersion)
    .showHelpAfterError("See 'rollbed --help'.")
    .configureOutput({ outputError: (text, write) => write(asUsage(text)) })
    .exitOverride()
  addUpCommand(program, finish)
  addProveCommand(program, finish)
  addFollowCommand(program, finish)
  addConformCommand(program, finish)
  addReportCommand(program, finish)
  addJournalCommand(program, finish)
  addAttestationCommand(program)
  addAttributionCommand(program, finish)
  addHostCommand(program, finish)
  addActorsCommand(program, finish)
  addScenarioCommand(program, finish)
  addDoctorCommand(program, finish)
  forEachCommand(program, (command) => command.exitOverride())

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (caught) {
    if (caught instanceof CommanderError) {
      return caught.exitCode === 0 ? ExitCode.ok : ExitCode.usage
    }
    const error = asMachineError(caught)
    printError(error)
    return exitCodeOf(error)
  }
}

/** What commander finds wrong, in the words of a UsageError. */
function asUsage(text: string): string {
  return text.replace(
    /^error: (.)(.*?)\.?$/m,
    (_, first: string, rest: string) => `USAGE: ${first.toUpperCase()}${rest}.`,
  )
}

function forEachCommand(parent: Command, action: (command: Command) => void): void {
  for (const command of parent.commands) {
    action(command)
    forEachCommand(command, action)
  }
}

function printError(error: unknown): void {
  if (!(error instanceof RollbedError)) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return
  }
  console.error(`${error.code}: ${error.message}`)
  if (error.hint) console.error(error.hint)
}
