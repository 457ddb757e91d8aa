import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'

/** The host cannot start with these inputs (HOST-CFG-*). */
export class HostConfigInvalid extends RollbedError {
  constructor(message: string) {
    super('HOST_CONFIG_INVALID', message, { hint: "See 'rollbed host --help'." })
  }
}
