import { Command } from 'commander'
import { packageVersion } from '#devnet/base/package-version'
import { addCommand, type CommandTable } from './add-command.ts'
import { describeCommands } from './describe-commands.ts'
import { type FlagsOf, on } from './flags.ts'
import { jsonOf } from './json-of.ts'
import type { AddCommand, Commands } from './run-command-line.ts'

const COMMANDS = {
  name: 'commands',
  says: 'Print every command with its flags, exit codes and side effects.',
  flags: { json: on('print them as one JSON object') },
  examples: ['rollbed commands --json'],
} as const satisfies CommandTable

/** `rollbed commands`: the command line itself as data, for agents and for scripts. */
export const addCommandsCommand =
  (commands: Commands): AddCommand =>
  (program, finish) => {
    addCommand(program, COMMANDS).action(async (flags: FlagsOf<typeof COMMANDS.flags>) => {
      const all = new Command('rollbed')
      for (const load of Object.values(commands)) (await load())(all, () => {})
      const described = describeCommands(all)
      const width = Math.max(...described.map(({ command }) => command.length))
      const lines = described.map(({ command, says }) => `${command.padEnd(width)}  ${says}`)
      const schema = 'rollbed.commands/1' as const
      console.log(
        flags.json
          ? jsonOf('commands', { schema, version: packageVersion, commands: described })
          : lines.join('\n'),
      )
      finish(0)
    })
  }
