/** `rollbed host` as a process of its own, for host-command.test.ts to signal. */
import { Command } from 'commander'
import { addHostCommand } from '#devnet/cli/host'

const program = new Command('rollbed')
addHostCommand(program, (exitCode) => {
  process.exitCode = exitCode
})
await program.parseAsync(process.argv)
