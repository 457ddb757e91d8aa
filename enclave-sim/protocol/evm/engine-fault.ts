import { EngineTrap, type TrapPlace } from './engine-trap.ts'

/**
 * A defect of the engine: a message has made it read or write where nothing is. The same message on
 * the same state does so wherever it runs.
 */
export class EngineFault extends EngineTrap {
  constructor(place: TrapPlace | undefined, cause: unknown) {
    const at = place
      ? ` in code at ${place.address}, byte ${place.pc}, depth ${place.depth}`
      : ' before any code ran'
    super('EVM_TRAPPED', `The EVM itself broke${at}.`, {
      hint: 'This is a defect of rollbed: report it with the message, and the code and state it ran on.',
      cause,
      place,
    })
  }
}
