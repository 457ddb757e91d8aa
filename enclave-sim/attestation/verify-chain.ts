import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { equalsBytes } from '@ethereumjs/util'
import { AttestationInvalid } from './attestation-invalid.ts'
import { readCertificateExtensions } from './certificate-extensions.ts'

/**
 * SHA-256 of the AWS Nitro Enclaves root G1, DER.
 * Source: docs.aws.amazon.com/enclaves/latest/user/verify-root.html
 */
const AWS_ROOT_FINGERPRINT = '641a0321a3e244efe456463195d606317ed7cdcc3c1756e09893f3c68f79bb5b'

export interface ChainOptions {
  /** Unix milliseconds at which the chain has to be valid. */
  at: number
  /** DER of the trusted root. Absent: the AWS root, and no other. */
  root?: Uint8Array | undefined
}

/**
 * Verifies a chain of certificates, root first, and returns the key of the last one.
 * @throws AttestationInvalid
 */
export function verifyChain(chain: Uint8Array[], { at, root }: ChainOptions): KeyObject {
  const trusted = root
    ? equalsBytes(chain[0]!, root)
    : createHash('sha256').update(chain[0]!).digest('hex') === AWS_ROOT_FINGERPRINT
  if (!trusted) throw new AttestationInvalid('chain does not start at the trusted root')

  const certificates = chain.map(parse)
  const last = certificates.length - 1
  for (const [index, certificate] of certificates.entries()) {
    const fail = (problem: string) => new AttestationInvalid(`certificate ${index} ${problem}`)
    if (at < certificate.validFromDate.getTime() || at > certificate.validToDate.getTime())
      throw fail('is expired or not yet valid')

    const issuer = certificates[index - 1] ?? certificate
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
      throw fail('is not signed by its issuer')

    const extensions = readCertificateExtensions(chain[index]!)
    if (index === last) {
      if (extensions.isAuthority || !extensions.maySign) throw fail('may not sign documents')
    } else if (!extensions.isAuthority || !extensions.mayCertify) {
      throw fail('may not sign certificates')
    } else if ((extensions.pathLength ?? last) < last - 1 - index) {
      throw fail('has too many certificates below it')
    }
  }
  return certificates[last]!.publicKey
}

function parse(der: Uint8Array, index: number): X509Certificate {
  try {
    const certificate = new X509Certificate(der)
    // OpenSSL also reads PEM and ignores what follows a certificate.
    if (equalsBytes(certificate.raw, der)) return certificate
  } catch (error) {
    throw new AttestationInvalid(`certificate ${index} cannot be read`, error)
  }
  throw new AttestationInvalid(`certificate ${index} is not DER alone`)
}
