import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseJson } from '#devnet/base/json-rpc/parse-json'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { attest } from '#enclave/security-module/sim/attest'
import {
  createCertificateChain,
  createSimRoot,
} from '#enclave/security-module/sim/certificate-chain'
import type { Issued } from '#enclave/security-module/sim/issue-certificate'
import type { Clock } from '#protocol/clock/clock'
import { keccak256, keccak256Hex } from '#protocol/crypto/keccak'
import { createSigner } from '#protocol/journal/signer'
import type { Rng } from '#protocol/random/rng'
import type { Hash } from '#protocol/types/bytes'

/**
 * What one attestation says instead of the truth; with `new-key` nothing: its enclave was booted anew, with
 * `next-image` from another image.
 */
export type AttestationFault =
  | 'debug-image'
  | 'other-key'
  | 'other-challenge'
  | 'no-challenge'
  | 'other-root'
  | 'other-issuer'
  | 'other-leaf'
  | 'other-signature'
  | 'expired'
  | 'old-document'
  | 'new-key'
  | 'next-image'

export interface AttestingHost extends OwnedResource {
  readonly url: string
  /** DER. */
  readonly root: Uint8Array
  /** keccak256 of the PCR0 that both enclaves have. */
  readonly imageHash: Hash
  /** The enclave of this index attests so from now on. */
  attestWith(index: number, fault: AttestationFault): void
}

const PCRS = 16
const PCR_SIZE = 48
/** PCR4, whatever runs there: it says nothing of the image, for which PCR0 alone counts (ATT-09). */
const OF_THE_INSTANCE = 4
/** No PCR of the first image. */
const NEXT_IMAGE = 5
const HOUR = 3_600_000
/** A certificate of an enclave has run out since then, none of those above it has. */
const HALF_A_DAY = 12 * HOUR
/** L1 takes no document that is as old (AttestationTooOld), though its certificates are still valid. */
const TWO_HOURS = 2 * HOUR
const MODULE_ID = 'i-0123456789abcdef0-enc0123456789abcdef'

/**
 * A prover host that proves nothing: two enclaves under one simulated hypervisor, whose attestations can
 * be made to lie, as no enclave of the devnet could.
 */
export async function serveAttestingHost(clock: Clock, rng: Rng): Promise<AttestingHost> {
  const before = (age: number): Clock => ({ ...clock, now: () => clock.now() - age })
  const chainOf = (root: Issued, since = clock) =>
    createCertificateChain({ root, moduleId: MODULE_ID, clock: since, rng })
  // Older than whatever it issued.
  const root = createSimRoot({ clock: before(HALF_A_DAY), rng })
  const trusted = chainOf(root)
  const strange = createSimRoot({ clock, rng })
  const stranger = chainOf(strange)
  // It names the trusted root's key as well, but has not signed by it.
  const forged = chainOf({ ...strange, publicKey: root.publicKey })
  const expired = chainOf(root, before(HALF_A_DAY))
  const aged = chainOf(root, before(TWO_HOURS))
  // The upper one has the higher key and the higher address: whoever sorts them is to be seen.
  const keys = ['upper', 'lower', 'another'].map((name) => {
    return createSigner(keccak256(new TextEncoder().encode(`attesting host: ${name}`))).publicKey
  })
  const another = keys.pop()!
  const faults = new Map<number, AttestationFault>()

  const isAnother = (fault?: AttestationFault) => fault === 'new-key' || fault === 'next-image'
  const keyOf = (index: number) => (isAnother(faults.get(index)) ? another : keys[index]!)

  function certificatesFor(fault: AttestationFault | undefined) {
    if (fault === 'expired') return expired.current()
    if (fault === 'old-document') return aged.current()
    if (fault === 'other-root') return stranger.current()
    // Names and key identifiers fit: only a signature says that who stands before one never issued it.
    if (fault === 'other-issuer') {
      const { leaf, bundle } = forged.current()
      return { leaf, bundle: [root.certificate, ...bundle.slice(1)] }
    }
    const ours = trusted.current()
    return fault === 'other-leaf' ? { ...ours, leaf: stranger.current().leaf } : ours
  }

  function document(index: number, nonce: Uint8Array, userData: Uint8Array | null): Uint8Array {
    const fault = faults.get(index)
    const { leaf, bundle } = certificatesFor(fault)
    // In either place that a challenge may be sent in (OPEN-80).
    const boundTo = (challenge: Uint8Array) => {
      if (fault === 'no-challenge') return null
      return fault === 'other-challenge' ? challenge.map((byte) => byte ^ 1) : challenge
    }
    const content = {
      publicKey: fault === 'other-key' ? another : keyOf(index),
      nonce: boundTo(nonce),
      userData: userData && boundTo(userData),
      moduleId: MODULE_ID,
      pcrs: Array.from({ length: PCRS }, (_, pcr) => {
        if (pcr === 0 && fault === 'next-image') return measured(NEXT_IMAGE)
        const isMeasured = pcr === OF_THE_INSTANCE || (pcr === 0 && fault !== 'debug-image')
        return isMeasured ? measured(pcr) : new Uint8Array(PCR_SIZE)
      }),
      bundle,
      timestamp: clock.now() - (fault === 'old-document' ? TWO_HOURS : 0),
      certificate: leaf.certificate,
    }
    const signer = fault === 'other-signature' ? stranger.current().leaf : leaf
    return attest(content, signer.privateKey)
  }

  /** Its `result` or `error`. */
  function answer(method: string, params: AttestationParams): Record<string, unknown> {
    if (method === 'enclave_signerPublicKey')
      return { result: keys.map((_, index) => [...keyOf(index)]) }
    if (method !== 'enclave_signerAttestation')
      return refusal(-32601, `The attesting host has no method ${method}.`)
    const [userData, nonces] = inPlace(params)
    if (nonces && nonces.length !== keys.length)
      return refusal(-32602, `nonces: ${nonces.length}, for ${keys.length} enclaves`)
    const documents = keys.map((_, index) => [
      ...document(
        index,
        Uint8Array.from(nonces?.[index] ?? []),
        userData ? Uint8Array.from(userData) : null,
      ),
    ])
    return { result: documents }
  }

  const replyTo = (body: string): Record<string, unknown> => {
    // A registrar under test may send anything.
    const call = parseJson(body)
    if (call === undefined) return { id: null, ...refusal(-32700, 'The body is no JSON.') }
    const { id = null, method, params } = Object(call)
    try {
      return { id, ...answer(method, params ?? []) }
    } catch (error) {
      return { id, ...refusal(-32602, `params: ${(error as Error).message}`) }
    }
  }
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const reply = JSON.stringify({ jsonrpc: '2.0', ...replyTo(body) })
        response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
      },
      // Whoever was cut off waits for no answer.
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    root: root.certificate,
    imageHash: keccak256Hex(measured(0)),
    attestWith: (index, fault) => void faults.set(index, fault),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** No two bytes alike: whoever puts them in another order is to be seen. */
function measured(pcr: number): Uint8Array {
  return Uint8Array.from({ length: PCR_SIZE }, (_, at) => 0xaa + pcr + at)
}

interface NamedParams {
  user_data?: number[] | null
  nonces?: number[][] | null
}

/** By place or by name (OPEN-58). */
type AttestationParams =
  | readonly [userData?: NamedParams['user_data'], nonces?: NamedParams['nonces']]
  | NamedParams

function inPlace(
  params: AttestationParams,
): readonly [...Extract<AttestationParams, readonly unknown[]>] {
  return 'length' in params ? params : [params.user_data, params.nonces]
}

const refusal = (code: number, message: string) => ({ error: { code, message } })
