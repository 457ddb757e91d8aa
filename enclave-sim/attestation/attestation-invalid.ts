import { RollbedError } from '#protocol/errors/rollbed-error'

/** A document that is no attestation, or one that cannot be trusted. */
export class AttestationInvalid extends RollbedError {
  constructor(problem: string, cause?: unknown) {
    super('ATTESTATION_INVALID', `attestation: ${problem}`, {
      cause,
      hint: '`rollbed attestation inspect` shows what the document says, trusted or not.',
    })
  }
}
