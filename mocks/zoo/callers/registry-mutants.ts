import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const registrar = mutantsOf('registrar', 'registrar')

const REGISTRAR = 'registrar/create-registrar.ts'

/** Registrars with which the registry does not hold the signers that run. */
export const REGISTRY_MUTANTS: readonly Mutant[] = [
  registrar(
    'ATT-14',
    'pcr0-from-its-end',
    'Registers PCR0 in the other order of its two words',
    instead(
      'registrar/dev-attestation-prover.ts',
      'whole.subarray(0, 32)), second: bytesToHex(whole.subarray(32, 48))',
      'whole.subarray(16, 48)), second: bytesToHex(whole.subarray(0, 16))',
    ),
  ),
  registrar(
    'ATT-13',
    'challenges-of-new-signers-alone',
    'Sends no challenge for a signer that is registered, and so fewer than the host has enclaves',
    instead(
      REGISTRAR,
      'host.signers.map((signer) => challengeNonce',
      'host.signers.filter((signer) => wanted.has(signer)).map((signer) => challengeNonce',
    ),
  ),
  registrar(
    'ATT-14',
    'takes-nobody-off',
    'Leaves signers registered that no enclave has any more',
    instead(REGISTRAR, 'of isMajority ? orphans : []', 'of []'),
  ),
  registrar(
    'HOST-RPC-02',
    'asks-by-place',
    'Asks for the keys of a host by a place, which its method does not take',
    instead(
      'actors/prover-client.ts',
      "ask('enclave_signerPublicKey', [],",
      "ask('enclave_signerPublicKey', [0],",
    ),
  ),
  registrar(
    'ATT-13',
    'challenges-backwards',
    'Sends the challenges in the other order than that of the signers',
    instead(REGISTRAR, 'signerAttestations(nonces)', 'signerAttestations(nonces.toReversed())'),
  ),
  registrar(
    'ATT-14',
    'first-document-for-all',
    'Takes the first document for that of each signer',
    instead(REGISTRAR, '(await attested)[index]', '(await attested)[0]'),
  ),
  registrar(
    'ATT-14',
    'first-signer-only',
    'Registers the first signer of a host alone',
    instead(
      REGISTRAR,
      'if (!wanted.has(signer)) continue',
      'if (!wanted.has(signer) || index > 0) continue',
    ),
  ),
  registrar(
    'ROT-02',
    'begins-anew',
    'Takes all signers off in its first round',
    instead(
      REGISTRAR,
      'const orphans = without(registered, running)',
      `const memory = globalThis as { hasBegun?: boolean }
      const orphans = without(registered, memory.hasBegun ? running : new Set())
      memory.hasBegun = true`,
    ),
  ),
  registrar(
    'ATT-14',
    'believes-its-memory',
    'Registers nobody again whom it saw registered once',
    instead(
      REGISTRAR,
      'for (const signer of without(running, registered)) unregistered.add(signer)',
      `const memory = globalThis as { registered?: Set<Address> }
      memory.registered = new Set([...(memory.registered ?? []), ...registered])
      for (const signer of without(running, memory.registered)) unregistered.add(signer)`,
    ),
  ),
  registrar(
    'ROT-02',
    'overlap-for-good',
    'Leaves a signer registered for good that was once of an image valid beside the one in force',
    instead(
      REGISTRAR,
      'if (await isInOverlap(signer)) {',
      `const memory = globalThis as { kept?: Set<Address> }
        memory.kept ??= new Set()
        if (memory.kept.has(signer) || (await isInOverlap(signer))) {
          memory.kept.add(signer)`,
    ),
  ),
  registrar(
    'ATT-14',
    'image-of-its-start',
    'Registers signers of the image alone that was in force when it started',
    instead(
      REGISTRAR,
      'const { imageHash } = checkAttestation(document, checks)',
      `const { imageHash } = checkAttestation(document, checks)
    const memory = globalThis as { inForce?: string }
    memory.inForce ??= await l1.readContract({ ...view, functionName: 'getExpectedImageHash' })
    if (imageHash !== memory.inForce) throw new Error('its image does not count')`,
    ),
  ),
]
