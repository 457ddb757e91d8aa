import { RollbedError } from '#protocol/errors/rollbed-error'

/** The host cannot start with these inputs (HOST-CFG-*). */
export class HostConfigInvalid extends RollbedError {
  constructor(message: string) {
    super('HOST_CONFIG_INVALID', message, { hint: "See 'rollbed host --help'." })
  }
}
