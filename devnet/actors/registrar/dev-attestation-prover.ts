import { setLengthRight } from '@ethereumjs/util'
import { concatHex, encodeAbiParameters, keccak256, type PublicClient } from 'viem'
import { sign } from 'viem/accounts'
import type { SignedAttestation } from '#enclave/attestation/decode-attestation'
import { toBeSigned } from '#enclave/attestation/to-be-signed'
import { cobaltProverRegistryAbi } from '#fixtures/contracts/CobaltProverRegistry.abi'
import { devAttestationVerifierAbi } from '#fixtures/contracts/DevAttestationVerifier.abi'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Address, Hex } from '#protocol/types/bytes'
import { plainError } from '../plain-error.ts'
import { readIfThere } from '../read-if-there.ts'

/** The arguments of registerSigner, of which the registries before Cobalt have two. */
export type Registration = readonly [output: Hex, proof: Hex] | readonly [Hex, Hex, Hex]

/** What registerSigner takes for an attestation that was verified. */
export type AttestationProver = (attestation: SignedAttestation) => Promise<Registration>

const [verify] = devAttestationVerifierAbi.filter(
  (item) => item.type === 'function' && item.name === 'verify',
)

/** Indexes of the enums in the published interface. */
const verificationSucceeded = 1

/**
 * DEV STAND-IN for a ZK proof of the verification: a signature by the key that the devnet's
 * attestation verifier believes. What is proven has the form of the published verifier's journal.
 * @throws ZkProofRequired where another verifier decides
 */
export function devAttestationProver(
  l1: PublicClient,
  { registry, attester }: { registry: Address; attester: Hex },
): AttestationProver {
  return async (signed) => {
    const read = l1.readContract({
      ...{ address: registry, abi: cobaltProverRegistryAbi, functionName: 'NITRO_VALIDATOR' },
    })
    const validator = await readIfThere(read, undefined)
    if (validator) return await hinted(validator, signed)
    const { timestamp, publicKey, pcrs, userData, nonce, moduleId } = signed.attestation
    const output = encodeAbiParameters(verify!.outputs, [
      {
        result: verificationSucceeded,
        // The published verifier remembers intermediate certificates; the stand-in has none to keep.
        trustedCertsPrefixLen: 0,
        certs: [],
        certExpiries: [],
        timestamp: BigInt(timestamp),
        userData: bytesToHex(userData ?? new Uint8Array()),
        nonce: bytesToHex(nonce ?? new Uint8Array()),
        publicKey: bytesToHex(publicKey ?? new Uint8Array()),
        pcrs: [...pcrs].map(([index, value]) => ({ index: BigInt(index), value: bytes48(value) })),
        moduleId,
      },
    ])
    const verifier = await l1.readContract({
      address: registry,
      abi: teeProverRegistryAbi,
      functionName: 'NITRO_VERIFIER',
    })
    await requireStandIn(l1, verifier)
    const hash = keccak256(concatHex([verifier, output]))
    return [output, await sign({ hash, privateKey: attester, to: 'hex' })]
  }

  /** Since Cobalt the document itself goes on chain; the hints are the stand-in's. */
  async function hinted(validator: Address, signed: SignedAttestation): Promise<Registration> {
    await requireStandIn(l1, validator)
    const [document, signature] = [bytesToHex(toBeSigned(signed)), bytesToHex(signed.signature)]
    const hash = keccak256(concatHex([validator, keccak256(document), keccak256(signature)]))
    return [document, signature, await sign({ hash, privateKey: attester, to: 'hex' })]
  }
}

async function requireStandIn(l1: PublicClient, verifier: Address): Promise<void> {
  const call = {
    address: verifier,
    abi: devAttestationVerifierAbi,
    functionName: 'ATTESTER',
  } as const
  try {
    await l1.readContract(call)
  } catch (error) {
    const plain = plainError(error)
    // Any other code: L1 could not be asked at all.
    throw plain.code === 'L1_CALL_FAILED' ? new ZkProofRequired(verifier) : plain
  }
}

function bytes48(value: Uint8Array): { first: Hex; second: Hex } {
  const whole = setLengthRight(value, 48)
  return { first: bytesToHex(whole.subarray(0, 32)), second: bytesToHex(whole.subarray(32, 48)) }
}

/** A registry whose verifier is the real one. */
export class ZkProofRequired extends RollbedError {
  constructor(verifier: Address) {
    super(
      'ZK_PROOF_REQUIRED',
      `The registry's NITRO_VERIFIER ${verifier} wants a ZK proof of the attestation, which rollbed cannot make.`,
      {
        hint: "Use the registrar of Base there, or a registry whose NITRO_VERIFIER is rollbed's DevAttestationVerifier.",
      },
    )
  }
}
