import { bytesToHex } from '@ethereumjs/util'
import { concatHex, encodeAbiParameters, keccak256, type PublicClient } from 'viem'
import { sign } from 'viem/accounts'
import type { Attestation } from '../../enclave-sim/attestation/decode-attestation.ts'
import type { Address, Hex } from '../../enclave-sim/protocol/types/bytes.ts'
import { devAttestationVerifierAbi } from '../../fixtures/contracts/DevAttestationVerifier.abi.ts'
import { teeProverRegistryAbi } from '../../fixtures/contracts/TEEProverRegistry.abi.ts'

/** What registerSigner takes for an attestation that was verified. */
export interface AttestationProof {
  output: Hex
  proof: Hex
}

export type AttestationProver = (attestation: Attestation) => Promise<AttestationProof>

const [verify] = devAttestationVerifierAbi.filter(
  (item) => item.type === 'function' && item.name === 'verify',
)

/**
 * DEV STAND-IN for a ZK proof of the verification: a signature by the key that the devnet's
 * attestation verifier believes.
 */
export function devAttestationProver(
  l1: PublicClient,
  { registry, attester }: { registry: Address; attester: Hex },
): AttestationProver {
  return async ({ timestamp, publicKey, pcrs, nonce, moduleId }) => {
    const output = encodeAbiParameters(verify!.outputs, [
      {
        timestamp: BigInt(timestamp),
        publicKey: bytesToHex(publicKey ?? new Uint8Array()),
        pcrs: [...pcrs].map(([index, value]) => ({
          index: BigInt(index),
          value: bytesToHex(value),
        })),
        nonce: bytesToHex(nonce ?? new Uint8Array()),
        moduleId,
      },
    ])
    const verifier = await l1.readContract({
      address: registry,
      abi: teeProverRegistryAbi,
      functionName: 'ATTESTATION_VERIFIER',
    })
    const hash = keccak256(concatHex([verifier, output]))
    return { output, proof: await sign({ hash, privateKey: attester, to: 'hex' }) }
  }
}
