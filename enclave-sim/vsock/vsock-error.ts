import { RollbedError } from '#protocol/errors/rollbed-error'

/**
 * No connection to an enclave. `code` is the errno name that AF_VSOCK would give: the machine's word
 * and not the table's, in which all of them are VSOCK_FAILED.
 */
export class VsockError extends RollbedError {
  override readonly code: string

  constructor(errno: string, problem: string, cause?: unknown) {
    super('VSOCK_FAILED', `vsock: ${problem}`, {
      hint: 'Check that the enclave runs and that its endpoint is right.',
      cause,
    })
    this.code = errno
  }
}
