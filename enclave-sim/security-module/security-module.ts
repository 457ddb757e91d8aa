import { RollbedError } from '#protocol/errors/rollbed-error'
import {
  decodeNsmResponse,
  encodeNsmRequest,
  NsmMessageInvalid,
  type NsmRequest,
  type NsmResponse,
} from './nsm-messages.ts'

/** One open session with a security module. Its holder closes it. */
export interface SecurityModule {
  /** Value of one platform configuration register, as raw bytes. */
  describePcr(index: number): Promise<{ lock: boolean; data: Uint8Array }>
  /** Fresh random bytes; how many is the module's choice, at most 256. */
  random(): Promise<Uint8Array>
  /** A raw COSE_Sign1 attestation document (ATT-01). */
  attest(claims: AttestationClaims): Promise<Uint8Array>
  close(): void
}

/** What the caller has bound into an attestation. */
export interface AttestationClaims {
  publicKey: Uint8Array | null
  userData: Uint8Array | null
  nonce: Uint8Array | null
}

/** What carries one CBOR message each way: the ioctl on /dev/nsm, or a stream to a simulation. */
export interface NsmChannel {
  exchange(request: Uint8Array): Promise<Uint8Array>
  close(): void
}

/**
 * The security module behind a channel. Its methods throw SecurityModuleRefused when the module
 * answers with an error, and NsmMessageInvalid when the answer makes no sense.
 * @throws SecurityModuleRefused, NsmMessageInvalid; its methods do
 */
export function securityModule(channel: NsmChannel): SecurityModule {
  const ask = async <K extends NsmResponse['kind']>(request: NsmRequest & { kind: K }) => {
    const response = decodeNsmResponse(await channel.exchange(encodeNsmRequest(request)))
    if (response.kind === 'Error') throw new SecurityModuleRefused(request.kind, response.code)
    if (response.kind !== request.kind)
      throw new NsmMessageInvalid(`${response.kind} is no answer to ${request.kind}`)
    return response as Extract<NsmResponse, { kind: K }>
  }
  return {
    describePcr: (index) => ask({ kind: 'DescribePCR', index }),
    random: async () => (await ask({ kind: 'GetRandom' })).random,
    attest: async (claims) => (await ask({ kind: 'Attestation', ...claims })).document,
    close: () => channel.close(),
  }
}

export class SecurityModuleRefused extends RollbedError {
  constructor(request: string, code: string) {
    super('SECURITY_MODULE_REFUSED', `security module refused ${request}: ${code}`)
  }
}
