import type { ErrorCode } from '../errors/error-table.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address } from '../types/bytes.ts'

/** Where the engine was, as far as its memory still tells. */
export interface TrapPlace {
  /** Whose code ran. */
  address: Address
  /** The byte of that code; of the last call where the frame has made any. */
  pc: number
  /** 0 for the message itself. */
  depth: number
}

/**
 * The engine gave a message up: it is no outcome of the message, which has changed nothing. The
 * instance that it ran on is gone; the next message has a fresh one.
 */
export class EngineTrap extends RollbedError {
  readonly place: TrapPlace | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { hint, cause, place }: { hint: string; cause: unknown; place: TrapPlace | undefined },
  ) {
    super(code, message, { hint, cause })
    this.place = place
  }
}
