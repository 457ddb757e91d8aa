import { NodeMissing } from '../trie/node-missing.ts'
import type { CallMessage, CallOptions, CallRules, Executor } from './executor.ts'
import type { Machine, ReadState } from './machine.ts'
import { runCall, runCallAtHand } from './run-call.ts'
import { WorldState } from './world-state.ts'

/** Runs calls whose effects nobody sees; the engine keeps what it reads of the newest state. */
export function createReadOnlyCall(machine: Machine): Pick<Executor, 'call' | 'callAtHand'> {
  let state: (Pick<CallOptions, 'store' | 'stateRoot'> & ReadState) | undefined
  const prepare = (options: CallOptions, message: CallMessage, rules: CallRules): Machine => {
    const { store, stateRoot, budget } = options
    if (state?.store !== store || state.stateRoot !== stateRoot) state = { store, stateRoot }
    // Authorizations change accounts before the message; moved precompiles are part of the state.
    const changesState = message.authorizationList !== undefined || rules.precompiles !== undefined
    return {
      ...machine,
      world: new WorldState(store, stateRoot),
      budget,
      precompileView: rules.precompiles,
      logsTransfers: rules.traceTransfers ?? false,
      readState: changesState ? {} : state,
    }
  }
  return {
    async call(options, message, rules) {
      return runCall(prepare(options, message, rules), message, rules)
    },
    callAtHand(options, message, rules) {
      if (message.authorizationList) return undefined
      try {
        return runCallAtHand(prepare(options, message, rules), message, rules)
      } catch (error) {
        if (error instanceof NodeMissing) return undefined
        throw error
      }
    },
  }
}
