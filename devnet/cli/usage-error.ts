import { RollbedError } from '#protocol/errors/rollbed-error'

/** The command line itself is wrong: exit code 2. */
export class UsageError extends RollbedError {
  constructor(message: string, hint = "See 'rollbed --help'.") {
    super('USAGE', message, { hint })
  }
}
