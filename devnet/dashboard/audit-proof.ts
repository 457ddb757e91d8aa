import type { Audit } from '#devnet/actors/journal-audit/audit'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import type { EnclaveDescription } from '#devnet/base/options/devnet-description'
import type { ProofRecord } from '#devnet/proving/prover/proof-service'

/** Names every byte of the journals behind a proof; null for a proof that failed. */
export async function auditProof(
  { request, result, cid }: ProofRecord,
  enclaves: readonly EnclaveDescription[],
): Promise<Audit | null> {
  if (!result) return null
  const enclave = enclaves.find((each) => each.cid === cid)
  const known = {
    proposer: request.proposer,
    // An enclave signs over what it is, whatever the request says.
    teeImageHash: enclave?.imageHash ?? request.image_hash,
    ...(request.intermediate_block_interval > 0 && {
      interval: BigInt(request.intermediate_block_interval),
    }),
  }
  return auditInput({ json: result }, { known, signers: enclaves.map(({ signer }) => signer) })
}
