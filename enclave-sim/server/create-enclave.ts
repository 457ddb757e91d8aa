import type { EnclaveRequest, EnclaveResponse } from '#enclave/wire/messages'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { signProposals } from '#protocol/journal/sign-proposals'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import type { ProgramResult } from '#protocol/proof/types'
import type { Address, Hash } from '#protocol/types/bytes'
import type { Identity } from './boot-identity.ts'
import type { EnclaveLog } from './enclave-log.ts'
import { createProofQueue } from './proof-queue.ts'

/**
 * Verifies the preimages, re-derives and re-executes the range, and compares the output root with
 * the claim. Returns only when all of it holds.
 */
export type Program = (preimages: Preimage[]) => Promise<ProgramResult>

export interface EnclaveOptions {
  identity: Identity
  program: Program
  log: EnclaveLog
  /** Proofs that may wait behind the running one. @default 4 */
  waitingProofs?: number
}

/** A booted enclave. It keeps its identity and nothing else (SAFE-07). */
export interface Enclave {
  signer: Address
  imageHash: Hash
  /** Never rejects: what goes wrong is an Error response. */
  handle(request: EnclaveRequest): Promise<EnclaveResponse>
}

/**
 * The enclave behind its wire: three kinds of request (ENC-KIND-01..03). Signing begins only after
 * the program returned (SAFE-02).
 */
export function createEnclave(options: EnclaveOptions): Enclave {
  const { identity, program, log, waitingProofs = 4 } = options
  const { signer, imageHash } = identity
  const inTurn = createProofQueue(waitingProofs)
  // The key is logged by its address alone (ENC-START-06).
  log('booted', { signer: signer.address, imageHash })

  const answer = async (request: EnclaveRequest): Promise<EnclaveResponse> => {
    switch (request.kind) {
      case 'SignerPublicKey':
        return { kind: 'SignerPublicKey', publicKey: signer.publicKey }
      case 'SignerAttestation': {
        const { userData, nonce } = request
        const document = await identity.attest({ publicKey: signer.publicKey, userData, nonce })
        return { kind: 'SignerAttestation', document }
      }
      case 'Prove': {
        const result = await inTurn(() => program(request.preimages))
        const proof = signProposals(result, signer, imageHash)
        log('proved', {
          chainId: String(result.chainId),
          blocks: result.blocks.length,
          peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / 1024),
        })
        return { kind: 'Prove', result: { kind: 'Tee', ...proof } }
      }
    }
  }

  return {
    signer: signer.address,
    imageHash,
    async handle(request) {
      try {
        return await answer(request)
      } catch (error) {
        const message = messageOf(error)
        log('refused', { request: request.kind, message })
        return { kind: 'Error', message }
      }
    },
  }
}

/** Errors raised on purpose speak for themselves; anything else came out of the pipeline. */
function messageOf(error: unknown): string {
  if (error instanceof RollbedError) return error.message
  return `proof pipeline error: ${error instanceof Error ? error.message : String(error)}`
}
