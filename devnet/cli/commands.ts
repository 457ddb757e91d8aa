import { Command } from 'commander'
import { packageVersion } from '#devnet/base/package-version'
import { describeCommands } from './describe-commands.ts'
import type { AddCommand, Commands } from './run-command-line.ts'

/** `rollbed commands`: the command line itself as data, for agents and for scripts. */
export const addCommandsCommand =
  (commands: Commands): AddCommand =>
  (program, finish) => {
    program
      .command('commands')
      .description('Print every command with its flags, exit codes and side effects.')
      .option('--json', 'print them as one JSON object')
      .action(async (flags: { json?: boolean }) => {
        const all = new Command('rollbed')
        for (const load of Object.values(commands)) (await load())(all, () => {})
        const described = describeCommands(all)
        const width = Math.max(...described.map(({ command }) => command.length))
        const lines = described.map(({ command, says }) => `${command.padEnd(width)}  ${says}`)
        const schema = 'rollbed.commands/1'
        console.log(
          flags.json
            ? JSON.stringify({ schema, version: packageVersion, commands: described })
            : lines.join('\n'),
        )
        finish(0)
      })
  }
