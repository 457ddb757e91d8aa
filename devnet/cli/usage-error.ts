import { RollbedError } from '#protocol/errors/rollbed-error'

/** The command line itself is wrong: exit code 2. Without a hint the command's own help is named. */
export class UsageError extends RollbedError {
  constructor(message: string, hint?: string) {
    super('USAGE', message, hint === undefined ? {} : { hint })
  }
}
