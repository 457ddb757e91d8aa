import { type Command, Option } from 'commander'
import { type Flag, type FlagTable, longName } from './flags.ts'

/** A command as data: help, parsing and devnet/docs/commands.md are made of it. */
export interface CommandTable<Flags extends FlagTable = FlagTable> {
  name: string
  says: string
  /** As in `<file>`, `[name]` or `<code...>` → what it is. */
  takes?: Readonly<Record<string, string>>
  flags?: Flags
  /** Whole lines, as they are typed. */
  examples: readonly [string, ...string[]]
}

const EXAMPLES = new WeakMap<Command, readonly string[]>()

/** Adds a command that does nothing yet to another. */
export function addCommand<Flags extends FlagTable>(
  parent: Command,
  { name, says, takes = {}, flags, examples }: CommandTable<Flags>,
): Command {
  const command = parent.command(name).description(says)
  for (const [argument, about] of Object.entries(takes)) command.argument(argument, about)
  for (const [key, flag] of Object.entries(flags ?? {}))
    for (const option of optionsOf(longName(key), flag)) command.addOption(option)
  const lines = examples.map((example) => `  ${example}`)
  command.addHelpText('after', `\n${['Examples:', ...lines].join('\n')}`)
  EXAMPLES.set(command, examples)
  return command
}

/** Of a command that was added here. */
export const examplesOf = (command: Command): readonly string[] => EXAMPLES.get(command) ?? []

function optionsOf(long: string, flag: Flag<unknown>): Option[] {
  const { says, value, parse, isNegated, orNone } = flag
  const none = long.replace(/^--/, '--no-')
  if (isNegated) return [new Option(none, says)]
  const option = new Option(value ? `${long} ${value}` : long, says)
  if (parse) option.argParser(parse(long) as (text: string, before: unknown) => unknown)
  if (flag.default !== undefined) option.default(flag.default, flag.defaultSays)
  if (flag.isRequired) option.makeOptionMandatory()
  if (flag.env) option.env(flag.env)
  if (flag.conflicts) option.conflicts(flag.conflicts)
  return orNone ? [option, new Option(none, orNone)] : [option]
}
