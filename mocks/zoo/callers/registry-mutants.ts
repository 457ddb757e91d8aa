import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const registrar = mutantsOf('registrar', 'registrar')

const REGISTRAR = 'registrar/create-registrar.ts'

/** Registrars with which the registry does not hold the signers that run. */
export const REGISTRY_MUTANTS: readonly Mutant[] = [
  registrar(
    'ATT-14',
    'takes-nobody-off',
    'Leaves signers registered that no enclave has any more',
    instead(REGISTRAR, 'of isMajority ? orphans : []', 'of []'),
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
]
