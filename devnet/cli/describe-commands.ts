import type { Argument, Command, Option } from 'commander'
import { examplesOf } from './add-command.ts'
import { COMMAND_EFFECTS, type Effect } from './command-effects.ts'
import { ExitCode } from './exit-code.ts'
import { schemaIdOf } from './schema-id-of.ts'

/** A command as data. */
export interface CommandDescription {
  /** As it is typed, as in `rollbed journal decode`. */
  command: string
  says: string
  arguments: { name: string; says: string; isRequired: boolean; isList: boolean }[]
  flags: {
    flag: string
    says: string
    /** Name of the value that follows it; null for a switch. */
    value: string | null
    isRequired: boolean
    default?: unknown
  }[]
  examples: readonly string[]
  /** Number → when it ends with it. */
  exitCodes: Readonly<Record<number, string>>
  effects: readonly Effect[]
  /** Id of the JSON Schema of what `--json` prints, in devnet/docs/schemas; null: it prints no JSON. */
  output: string | null
}

const EXIT_CODES: Readonly<Record<number, string>> = {
  [ExitCode.ok]: 'it did what was asked for, and what it checks holds',
  [ExitCode.failed]: 'a rule or check failed, or it could not be done',
  [ExitCode.usage]: 'the command line is wrong',
  [ExitCode.environment]:
    'something is missing here: a binary, a free port, an answer from a URL, a devnet',
  [ExitCode.staleExpectations]: 'known failures that were listed no longer happen, or have expired',
  [ExitCode.interrupted]: 'a signal ended it before its end',
}

/** Every command that does something, in the order of the help. */
export function describeCommands(program: Command): CommandDescription[] {
  return leavesOf(program).map((command) => {
    const path = pathOf(command)
    const words = path.replace(/^rollbed /, '')
    const printsJson = command.options.some(({ long }) => long === '--json')
    return {
      command: path,
      says: command.description(),
      arguments: command.registeredArguments.map(describeArgument),
      flags: command.options.map(describeFlag),
      examples: examplesOf(command),
      exitCodes: EXIT_CODES,
      effects: COMMAND_EFFECTS[words]!,
      output: printsJson ? schemaIdOf(words) : null,
    }
  })
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function describeArgument(argument: Argument) {
  const { description, required, variadic } = argument
  return { name: argument.name(), says: description, isRequired: required, isList: variadic }
}

function describeFlag({ long, flags, description, mandatory, defaultValue }: Option) {
  return {
    flag: long ?? flags,
    says: description,
    value: /[<[](.+?)[>\]]/.exec(flags)?.[1] ?? null,
    isRequired: mandatory,
    ...(defaultValue !== undefined && { default: defaultValue as unknown }),
  }
}
