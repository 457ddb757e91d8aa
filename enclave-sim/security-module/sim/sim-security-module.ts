/**
 * A simulated Nitro Security Module. It runs in the parent, which plays the hypervisor: the
 * attestation keys never enter the enclave's process (ATT-02).
 */
import { createHash } from 'node:crypto'
import { bytesToUnprefixedHex } from '@ethereumjs/util'
import type { Clock } from '#protocol/clock/clock'
import type { Rng } from '#protocol/random/rng'
import {
  decodeNsmRequest,
  encodeNsmResponse,
  type NsmErrorCode,
  type NsmRequest,
  type NsmResponse,
} from '../nsm-messages.ts'
import { attest } from './attest.ts'
import { createCertificateChain } from './certificate-chain.ts'
import type { Issued } from './issue-certificate.ts'

export interface SimSecurityModule {
  moduleId: string
  /** Answers one CBOR request; whatever is wrong with it is answered with an error. */
  respond(request: Uint8Array): Uint8Array
}

export interface SimSecurityModuleOptions {
  /** 48 bytes: the measurement of the enclave's image. */
  pcr0: Uint8Array
  root: Issued
  clock: Clock
  rng: Rng
}

const PCR_COUNT = 16
const PCR_SIZE = 48
/** What real modules give per call. */
const RANDOM_SIZE = 256
/** Limits of the module. Source: nsm-api docs. */
const PUBLIC_KEY_MAX = 1024
const CLAIM_MAX = 512

/**
 * A Nitro Security Module for a devnet: its attestations are signed by a chain of certificates under
 * `options.root`, not under the root of AWS. Its id and the PCRs come from `options.rng`.
 */
export function createSimSecurityModule(options: SimSecurityModuleOptions): SimSecurityModule {
  const { clock, rng, root } = options
  const instanceId = `i-${bytesToUnprefixedHex(rng.bytes(8))}`
  const moduleId = `${instanceId}-enc${bytesToUnprefixedHex(rng.bytes(8))}`
  const chain = createCertificateChain({ root, moduleId, clock, rng })
  const pcrs: Uint8Array[] = Array.from({ length: PCR_COUNT }, () => new Uint8Array(PCR_SIZE))
  pcrs[0] = options.pcr0
  pcrs[4] = extend(pcrs[4]!, Buffer.from(instanceId))

  const answer = (request: NsmRequest): NsmResponse => {
    switch (request.kind) {
      case 'GetRandom':
        return { kind: 'GetRandom', random: rng.bytes(RANDOM_SIZE) }
      case 'DescribePCR': {
        const data = pcrs[request.index]
        if (!data) return refusal('InvalidIndex')
        return { kind: 'DescribePCR', lock: true, data }
      }
      case 'Attestation': {
        const { publicKey, userData, nonce } = request
        if (publicKey?.length === 0) return refusal('InvalidArgument')
        if (
          (publicKey?.length ?? 0) > PUBLIC_KEY_MAX ||
          (userData?.length ?? 0) > CLAIM_MAX ||
          (nonce?.length ?? 0) > CLAIM_MAX
        )
          return refusal('InputTooLarge')
        const { leaf, bundle } = chain.current()
        const { certificate, privateKey } = leaf
        const claims = { publicKey, userData, nonce }
        const document = attest(
          { ...claims, moduleId, timestamp: clock.now(), pcrs, certificate, bundle },
          privateKey,
        )
        return { kind: 'Attestation', document }
      }
    }
  }

  return {
    moduleId,
    respond(request) {
      let decoded: NsmRequest
      try {
        decoded = decodeNsmRequest(request)
      } catch {
        return encodeNsmResponse(refusal('InvalidOperation'))
      }
      return encodeNsmResponse(answer(decoded))
    },
  }
}

const refusal = (code: NsmErrorCode): NsmResponse => ({ kind: 'Error', code })

/** SHA-384(register ‖ SHA-384(data)): how a PCR takes up data. */
export function extend(register: Uint8Array, data: Uint8Array): Uint8Array {
  const digest = createHash('sha384').update(data).digest()
  return createHash('sha384').update(register).update(digest).digest()
}
