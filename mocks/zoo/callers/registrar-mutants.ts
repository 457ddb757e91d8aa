import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const registrar = mutantsOf('registrar', 'registrar')

const CHECK = 'registrar/check-attestation.ts'
const CHAIN = 'attestation/verify-chain.ts'

/** Registrars with one mistake, made in the source of our own. */
export const REGISTRAR_MUTANTS: readonly Mutant[] = [
  registrar(
    'ATT-13',
    'random-challenge',
    'Takes a random challenge each time',
    instead(
      'registrar/challenge-nonce.ts',
      'return keccak256(',
      'return crypto.getRandomValues(new Uint8Array(32)); return keccak256(',
    ),
  ),
  registrar(
    'ATT-13',
    'one-challenge-for-all',
    'Takes the same challenge for all signers',
    instead('registrar/challenge-nonce.ts', ', hexToBytes(signer)', ''),
  ),
  registrar(
    'ATT-13',
    'challenge-of-the-process',
    'Draws its challenges when it starts, and keeps them',
    instead(
      'registrar/challenge-nonce.ts',
      "new TextEncoder().encode('base-proof-tee-registrar:attestation-nonce:v1')",
      'crypto.getRandomValues(new Uint8Array(32))',
    ),
  ),
  registrar(
    'ATT-13',
    'challenge-of-the-place',
    'Takes a challenge for each place behind the host, whoever signs there',
    instead(
      'registrar/create-registrar.ts',
      'host.signers.map((signer) => challengeNonce(registry, signer))',
      "host.signers.map((_, place) => challengeNonce(registry, ('0x' + '0'.repeat(39) + place) as Address))",
    ),
  ),
  registrar(
    'ATT-13',
    'challenges-in-order-of-signers',
    'Sorts the signers of a host, and sends their challenges in that order',
    instead(
      'registrar/discover-signers.ts',
      'keys.map((key) => signerOfKey(key, name))',
      'keys.map((key) => signerOfKey(key, name)).sort()',
    ),
  ),
  registrar(
    'ATT-13',
    'challenge-not-compared',
    'Does not look which challenge a document is for',
    instead(CHECK, '{ at, root: trustedRoot, nonce }', '{ at, root: trustedRoot }'),
  ),
  registrar(
    'ATT-13',
    'no-challenge-is-right',
    'Takes a document that was made for no challenge',
    instead(
      'attestation/verify-attestation.ts',
      'equalsBytes(asked, given) : asked === given',
      'equalsBytes(asked, given) : true',
    ),
  ),
  registrar(
    'ATT-14',
    'debug-is-all-zero',
    'Takes an image for one in debug mode only where every PCR is zero',
    instead(
      CHECK,
      'if (pcr0.every((byte) => byte === 0))',
      'if ([...pcrs.values()].every((pcr) => pcr.every((byte) => byte === 0)))',
    ),
  ),
  registrar(
    'ATT-14',
    'debug-image',
    'Registers an image in debug mode',
    instead(CHECK, 'if (pcr0.every(', 'if (false && pcr0.every('),
  ),
  registrar(
    'ATT-14',
    'key-not-compared',
    'Does not look whose key a document attests',
    instead(CHECK, 'if (addressOf(publicKey) !== signer)', 'if (false)'),
  ),
  registrar(
    'ATT-14',
    'any-root',
    'Takes certificates of any root',
    instead(CHAIN, 'if (!trusted)', 'if (false)'),
  ),
  registrar(
    'ATT-14',
    'any-issuer',
    'Does not look whether certificates were issued by those above them',
    instead(
      CHAIN,
      'if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))',
      'if (false)',
    ),
  ),
  registrar(
    'ATT-14',
    'issuer-by-name',
    'Takes whoever a certificate names for its issuer, without a look at the signature',
    instead(CHAIN, ' || !certificate.verify(issuer.publicKey)', ''),
  ),
  registrar(
    'ATT-14',
    'any-leaf',
    'Does not look whether the last certificate was issued by the one above it',
    instead(
      CHAIN,
      'if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))',
      'if (index < last && !certificate.verify(issuer.publicKey))',
    ),
  ),
  registrar(
    'ATT-14',
    'any-signature',
    'Does not look who signed a document',
    instead(
      'attestation/verify-attestation.ts',
      "if (!verify('sha384'",
      "if (false && !verify('sha384'",
    ),
  ),
  registrar(
    'ATT-14',
    'ran-out',
    'Takes certificates that ran out',
    instead(
      CHAIN,
      'if (at < certificate.validFromDate.getTime() || at > certificate.validToDate.getTime())',
      'if (false)',
    ),
  ),
  registrar(
    'ATT-14',
    'gives-up-when-busy',
    'Waits for ever for a host that was busy once',
    instead(
      'registrar/discover-signers.ts',
      'return undefined',
      // A process in which nothing is under way ends, and one that is started anew asks again.
      'return new Promise<undefined>(() => setInterval(() => {}, 60_000))',
    ),
  ),
  registrar(
    'ATT-14',
    'silence-is-absence',
    'Takes off the signers of a host that does not answer',
    instead(
      'registrar/create-registrar.ts',
      'const isMajority = 2 * found.length > hosts.length',
      'const isMajority = true',
    ),
  ),
  registrar(
    'ATT-14',
    'refusal-is-absence',
    'Takes off the signers of a host that answers an error',
    instead(
      'registrar/discover-signers.ts',
      'return undefined',
      "return (error as Error).constructor.name === 'RpcRefused' ? { name, client, signers: [] } : undefined",
    ),
  ),
  registrar(
    'ROT-02',
    'image-in-force-only',
    'Registers signers of the image in force alone, none of the one that a rotation brings',
    instead(
      'registrar/create-registrar.ts',
      'const signed = decodeAttestation(document)',
      "const signed = decodeAttestation(document)\n    if (imageHash !== (await l1.readContract({ ...view, functionName: 'getExpectedImageHash' }))) throw new Error('not in force')",
    ),
  ),
  registrar(
    'ROT-02',
    'drops-next-image',
    'Takes off the signer of the next image, which no host has yet',
    instead(
      'registrar/create-registrar.ts',
      'return isValid && imageHash !== inForce',
      'return false',
    ),
  ),
  registrar(
    'ATT-14',
    'valid-is-registered',
    'Takes a signer that is not valid now for one that is not registered (base/base#1812)',
    instead(
      'registrar/create-registrar.ts',
      '.then((signers) => new Set(signers.map(lower)))',
      `.then(async (signers) => {
          const ask = (signer: Address) => l1.readContract({ ...view, functionName: 'isValidSigner', args: [signer] })
          const valid = await Promise.all(signers.map(ask))
          return new Set(signers.filter((_, at) => valid[at]).map(lower))
        })`,
    ),
  ),
]
