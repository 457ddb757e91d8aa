import { type Argument, Command, type Option } from 'commander'
import { examplesOf } from '#devnet/cli/add-command'
import { ANVIL_WORDS } from '#devnet/cli/anvil-words'
import { COMMANDS } from '#devnet/cli/run'
import { markdownTable } from './markdown-table.ts'

/** docs/commands.md: what each command takes, from the tables that its help is made of. */
export async function commandsPage(): Promise<string> {
  const program = new Command('rollbed')
  for (const load of Object.values(COMMANDS)) (await load())(program, () => {})
  return `# Commands

Every command has \`--help\`. It ends with 0 when it is done or what it checks holds, 1 when a rule or check fails,
2 when the command line is wrong, 3 when something is missing here (a binary, a free port, an answer from a
URL), 4 when known failures that were listed no longer happen.

${program.commands.flatMap((command) => sectionsOf(command, 'rollbed')).join('\n\n')}

## Words of anvil

\`rollbed up\` understands these words, or says what there is in their place.

${markdownTable(['Word', 'Here'], wordRows())}
`
}

function sectionsOf(command: Command, before: string): string[] {
  const path = `${before} ${command.name()}`
  const takes = command.registeredArguments.map(argumentRow)
  const flags = command.options.map(flagRow)
  const section = [
    `## ${path}`,
    command.description(),
    ...(takes.length > 0 ? [markdownTable(['Argument', 'What it is'], takes)] : []),
    ...(flags.length > 0 ? [markdownTable(['Flag', 'What it does', 'Default'], flags)] : []),
    ['```sh', ...examplesOf(command), '```'].join('\n'),
  ]
  return [section.join('\n\n'), ...command.commands.flatMap((each) => sectionsOf(each, path))]
}

function argumentRow(argument: Argument): string[] {
  const { required, variadic, description } = argument
  const whole = variadic ? `${argument.name()}...` : argument.name()
  return [required ? `\`<${whole}>\`` : `\`[${whole}]\``, description]
}

function flagRow(option: Option): string[] {
  const { flags, description, mandatory, negate, envVar, defaultValue } = option
  const words = option.defaultValueDescription
  const plain = defaultValue === undefined || negate ? '' : `\`${String(defaultValue)}\``
  const env = envVar ? ` (or \`${envVar}\` in the environment)` : ''
  return [`\`${flags}\``, description + env, mandatory ? 'required' : (words ?? plain)]
}

const wordRows = () =>
  Object.entries(ANVIL_WORDS).map(([name, { ours, says, hint }]) => [
    `\`${name}\``,
    ours ? (ours.length > 0 ? `\`${ours.join(' ')}\`` : 'as it is') : `${says} ${hint}`,
  ])
