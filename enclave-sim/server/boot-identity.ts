import type { AttestationClaims, SecurityModule } from '#enclave/security-module/security-module'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { createSigner, type Signer } from '#protocol/journal/signer'
import type { Rng } from '#protocol/random/rng'
import type { Hash } from '#protocol/types/bytes'

/** All that an enclave keeps: its key and the measurement of its image, both from boot (SAFE-08). */
export interface Identity {
  signer: Signer
  /** keccak256(PCR0); zero in local mode (JRN-17, JRN-19). */
  imageHash: Hash
  /** @throws SessionFailed, SecurityModuleRefused */
  attest(claims: AttestationClaims): Promise<Uint8Array>
}

/** Opens a new session with the security module. */
export type OpenSecurityModule = () => Promise<SecurityModule>

const PCR_SIZE = 48
const KEY_SIZE = 32

/**
 * Measured boot (ENC-START-01..05): opens a session, reads PCR0, and makes a new key of the module's
 * randomness. Nothing is attested here (ATT-11).
 * @throws SessionFailed, PcrInvalid, RandomnessFailed, or what the module refuses with
 */
export async function bootMeasured(open: OpenSecurityModule): Promise<Identity> {
  const module = await openSession(open)
  try {
    const { data: pcr0 } = await module.describePcr(0)
    if (pcr0.length !== PCR_SIZE) throw new PcrInvalid(pcr0.length)
    const imageHash = bytesToHex(keccak256(pcr0))
    const random = await module.random()
    if (random.length < KEY_SIZE) throw new RandomnessFailed(random.length)
    const signer = createSigner(random.subarray(0, KEY_SIZE))
    random.fill(0)
    return { signer, imageHash, attest: (claims) => attestInNewSession(open, claims) }
  } finally {
    module.close()
  }
}

/**
 * Local mode: no security module, no measurement, no attestation. For development and tests, and
 * only ever on explicit demand (JRN-20, OPEN-81).
 */
export function bootLocal(rng: Rng): Identity {
  return {
    signer: createSigner(rng.bytes(KEY_SIZE)),
    imageHash: `0x${'00'.repeat(32)}`,
    attest: () => Promise.reject(new SessionFailed('local mode has no security module')),
  }
}

/** A session per call (ATT-10). */
async function attestInNewSession(
  open: OpenSecurityModule,
  claims: AttestationClaims,
): Promise<Uint8Array> {
  const module = await openSession(open)
  try {
    return await module.attest(claims)
  } finally {
    module.close()
  }
}

async function openSession(open: OpenSecurityModule): Promise<SecurityModule> {
  try {
    return await open()
  } catch (error) {
    throw new SessionFailed(error instanceof Error ? error.message : String(error), error)
  }
}

export class SessionFailed extends RollbedError {
  constructor(reason: string, cause?: unknown) {
    super('SECURITY_MODULE_UNREACHABLE', `failed to open NSM session: ${reason}`, { cause })
  }
}

export class PcrInvalid extends RollbedError {
  constructor(length: number) {
    super('PCR_INVALID', `PCR0 has ${length} bytes instead of ${PCR_SIZE}`)
  }
}

export class RandomnessFailed extends RollbedError {
  constructor(length: number) {
    super('RANDOMNESS_FAILED', `the security module gave ${length} random bytes`)
  }
}
