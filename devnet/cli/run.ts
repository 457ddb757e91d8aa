import { type Commands, runCommandLine } from './run-command-line.ts'

/** Every command of `rollbed`, in the order of its help. */
export const COMMANDS: Commands = {
  up: async () => (await import('./up.ts')).addUpCommand,
  init: async () => (await import('./init.ts')).addInitCommand,
  prove: async () => (await import('./prove.ts')).addProveCommand,
  follow: async () => (await import('./follow.ts')).addFollowCommand,
  rehearse: async () => (await import('./rehearse.ts')).addRehearseCommand,
  conform: async () => (await import('./conform.ts')).addConformCommand,
  report: async () => (await import('./report.ts')).addReportCommand,
  journal: async () => (await import('./journal.ts')).addJournalCommand,
  attestation: async () => (await import('./attestation.ts')).addAttestationCommand,
  attribution: async () => (await import('./attribution.ts')).addAttributionCommand,
  host: async () => (await import('./host.ts')).addHostCommand,
  actors: async () => (await import('./actors.ts')).addActorsCommand,
  faucet: async () => (await import('./faucet.ts')).addFaucetCommand,
  scenario: async () => (await import('./scenario.ts')).addScenarioCommand,
  state: async () => (await import('./state.ts')).addStateCommand,
  fault: async () => (await import('./fault.ts')).addFaultCommand,
  mcp: async () => (await import('./mcp.ts')).addMcpCommand,
  commands: async () => (await import('./commands.ts')).addCommandsCommand(COMMANDS),
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
}

/**
 * Runs one command line.
 *
 * @param args without the interpreter and the script
 * @returns the exit code; errors are printed to standard error as `CODE: sentence` and a hint
 */
export function run(args: string[]): Promise<number> {
  return runCommandLine(args, COMMANDS)
}
