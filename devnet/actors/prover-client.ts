import { isHex, size } from 'viem'
import { z } from 'zod'
import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { proofRequestJson } from '#devnet/proving/prover/proof-json'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { ProofRequest, Proposal, TeeProof } from '#protocol/proof/types'
import type { Hash, Hex } from '#protocol/types/bytes'

/** A prover host as an actor uses it; what it answers is not believed, only read. */
export interface ProverClient {
  prove(request: ProofRequest): Promise<TeeProof>
  /** One public key per enclave, in the host's order. */
  signerPublicKeys(): Promise<Uint8Array[]>
  /** One document per enclave, in the same order; `nonces` likewise. */
  signerAttestations(nonces: readonly Uint8Array[]): Promise<Uint8Array[]>
}

const bytes = z
  .array(z.number().int().min(0).max(255))
  .max(65_536)
  .transform((list) => Uint8Array.from(list))
const hex = (length: number) =>
  z.string().refine((text) => isHex(text) && size(text) === length) as unknown as z.ZodType<Hex>
const number = z.number().int().min(0).transform(BigInt)
const proposal = z
  .object({
    output_root: hex(32) as z.ZodType<Hash>,
    signature: hex(65),
    l1_origin_hash: hex(32),
    l1_origin_number: number,
    l2_block_number: number,
    prev_output_root: hex(32),
    config_hash: hex(32),
    schedule_id: hex(32).optional(),
  })
  .transform(
    (json): Proposal => ({
      outputRoot: json.output_root,
      signature: json.signature,
      l1OriginHash: json.l1_origin_hash,
      l1OriginNumber: json.l1_origin_number,
      l2BlockNumber: json.l2_block_number,
      prevOutputRoot: json.prev_output_root,
      configHash: json.config_hash,
      ...(json.schedule_id && { scheduleId: json.schedule_id }),
    }),
  )
const proofResult = z
  .object({ Tee: z.object({ aggregate_proposal: proposal, proposals: z.array(proposal) }) })
  .transform(
    ({ Tee }): TeeProof => ({
      aggregateProposal: Tee.aggregate_proposal,
      proposals: Tee.proposals,
    }),
  )
const perEnclave = z.array(bytes)

/** @throws ProverAnswerMalformed, beside what the RPC client throws */
export function proverClient(rpc: RpcClient): ProverClient {
  async function ask<T>(method: string, params: unknown[], schema: z.ZodType<T>): Promise<T> {
    const parsed = schema.safeParse(await rpc.request(method, params))
    if (parsed.success) return parsed.data
    throw new ProverAnswerMalformed(method, parsed.error.issues[0]?.path.join('.') ?? '')
  }
  return {
    prove: (request) => ask('prover_prove', [proofRequestJson(request)], proofResult),
    signerPublicKeys: () => ask('enclave_signerPublicKey', [], perEnclave),
    signerAttestations: (nonces) =>
      ask('enclave_signerAttestation', [null, nonces.map((nonce) => [...nonce])], perEnclave),
  }
}

export class ProverAnswerMalformed extends RollbedError {
  constructor(method: string, where: string) {
    super('PROVER_ANSWER_MALFORMED', `${method}: the answer's ${where || 'shape'} is no prover's.`)
  }
}
