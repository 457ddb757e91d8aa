import { RollbedError } from '#protocol/errors/rollbed-error'

/** Bytes that are not the value a schema describes, or a value that does not fit its schema. */
export class BincodeError extends RollbedError {
  constructor(problem: string) {
    super('BINCODE_INVALID', `bincode: ${problem}`, {
      hint: 'Both ends must speak bincode 2, standard configuration, with the same message order.',
    })
  }
}
