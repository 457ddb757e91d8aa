/** `rollbed scenario` as a process of its own. */
import { Command } from 'commander'
import { addScenarioCommand } from '../../devnet/cli/scenario.ts'

const program = new Command('rollbed')
addScenarioCommand(program, (exitCode) => {
  process.exitCode = exitCode
})
await program.parseAsync(process.argv)
