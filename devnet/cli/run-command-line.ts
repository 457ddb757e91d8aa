import { Command, CommanderError } from 'commander'
import { packageVersion } from '#devnet/base/package-version'
import { explainError } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { inOurWords } from './anvil-words.ts'
import { ExitCode, exitCodeOf } from './exit-code.ts'
import { keepFilesPrivate } from './keep-files-private.ts'
import { asMachineError } from './machine-error.ts'
import { suggestCommand } from './suggest-command.ts'

export type AddCommand = (program: Command, finish: (exitCode: number) => void) => void

/** By name, in the order of the help. A command's file is loaded when it is needed: some bring much with them. */
export type Commands = Record<string, () => Promise<AddCommand>>

/**
 * Runs one command line, of a command that is among `commands`.
 *
 * @param args without the interpreter and the script
 * @returns the exit code; errors are printed to standard error as `CODE: sentence`, a hint, and where the page has
 *   more on the code
 */
export async function runCommandLine(args: string[], commands: Commands): Promise<number> {
  let exitCode: number = ExitCode.ok
  const finish = (code: number) => {
    exitCode = code
  }
  const program = new Command('rollbed')
    .description('A Base-like rollup devnet, and a conformance gate for its nodes and provers.')
    .version(packageVersion)
    .showHelpAfterError("See 'rollbed --help'.")
    .addHelpText('after', '\nExamples:\n  rollbed up\n  rollbed up --help')
    .configureOutput({
      outputError: (text, write) => write(asUsage(suggestCommand(text, program))),
    })
    .exitOverride()
    .hook('preAction', (_, command) => keepFilesPrivate(command))
  const [named = ''] = args
  // Help, and what to say to a wrong name, is about all of them.
  const wanted = Object.hasOwn(commands, named) ? [named] : Object.keys(commands)
  for (const name of wanted) {
    const add = await commands[name]!()
    add(program, finish)
  }
  forEachCommand(program, (command) => command.exitOverride().showHelpAfterError(helpOf(command)))

  try {
    await program.parseAsync(named === 'up' ? inOurWords(args) : args, { from: 'user' })
    return exitCode
  } catch (caught) {
    if (caught instanceof CommanderError) {
      return caught.exitCode === 0 ? ExitCode.ok : ExitCode.usage
    }
    const error = asMachineError(caught)
    printError(error, helpOf(commandOf(program, args)))
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

const helpOf = (command: Command) => `See '${pathOf(command)} --help'.`

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** The one that the first words of a line name. */
function commandOf(program: Command, [word, ...rest]: readonly string[]): Command {
  const next = program.commands.find((each) => each.name() === word)
  return next ? commandOf(next, rest) : program
}

function printError(error: unknown, ownHelp: string): void {
  if (!(error instanceof RollbedError)) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return
  }
  console.error(`${error.code}: ${error.message}`)
  const isUsage = error.code === 'USAGE'
  const more = explainError(error.code)
  const hint = error.hint ?? (isUsage ? ownHelp : more?.action)
  if (hint) console.error(hint)
  if (more && !isUsage) console.error(`${more.id}: see ${more.page}`)
}
