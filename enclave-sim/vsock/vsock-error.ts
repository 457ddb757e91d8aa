import { RollbedError } from '#protocol/errors/rollbed-error'

/** No connection to an enclave. `code` is the errno name that AF_VSOCK would give. */
export class VsockError extends RollbedError {
  constructor(code: string, problem: string, cause?: unknown) {
    super(code, `vsock: ${problem}`, {
      hint: 'Check that the enclave runs and that its endpoint is right.',
      cause,
    })
  }
}
