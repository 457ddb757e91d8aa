import { EngineTrap, type TrapPlace } from './engine-trap.ts'

/** As in assembly/layout.ts. */
const ARENAS = [
  'anything',
  'accounts',
  'slots',
  'transient slots',
  'changes',
  'logs',
  'returned data',
  'code',
  'memory',
]

/**
 * A message has asked for more than the engine's memory holds. What gas can pay for always fits, so
 * the machine lacks memory, or the message has more gas than any block.
 */
export class EngineExhausted extends EngineTrap {
  constructor(arena: number, place: TrapPlace | undefined, cause: unknown) {
    super('EVM_EXHAUSTED', `A message needs more room for ${ARENAS[arena]} than the EVM has.`, {
      hint: 'Give it less gas, or the process more memory.',
      cause,
      place,
    })
  }
}
