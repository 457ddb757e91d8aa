import type { CallMessage, CallOptions, CallOutcome, CallRules, Executor } from './executor.ts'
import type { Machine } from './machine.ts'
import { runCall } from './run-call.ts'
import { WorldState } from './world-state.ts'

/** Runs calls whose effects nobody sees; the engine keeps what it reads of the newest state. */
export function createReadOnlyCall(machine: Machine): Executor['call'] {
  let state: Pick<CallOptions, 'store' | 'stateRoot'> | undefined
  return (options: CallOptions, message: CallMessage, rules: CallRules): Promise<CallOutcome> => {
    const { store, stateRoot, budget } = options
    if (state?.store !== store || state.stateRoot !== stateRoot) state = { store, stateRoot }
    // Authorizations change accounts before the message; moved precompiles are part of the state.
    const changesState = message.authorizationList !== undefined || rules.precompiles !== undefined
    const call = {
      ...machine,
      world: new WorldState(store, stateRoot),
      budget,
      precompileView: rules.precompiles,
      logsTransfers: rules.traceTransfers ?? false,
      readState: changesState ? {} : state,
    }
    return runCall(call, message, rules)
  }
}
