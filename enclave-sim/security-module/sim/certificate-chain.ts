import type { Clock } from '#protocol/clock/clock'
import type { Rng } from '#protocol/random/rng'
import { type Issued, issueCertificate } from './issue-certificate.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A certificate this close to its end is replaced. */
const RENEWAL = 10 * 60_000
/** Certificates begin a little early, so that a verifier whose clock is behind takes them. */
const HEAD_START = 60_000

/**
 * The root of every simulated hypervisor of a devnet. Its name does not look like Amazon's, and it
 * is trusted only where it is passed explicitly.
 */
export function createSimRoot({ clock, rng }: { clock: Clock; rng: Rng }): Issued {
  const now = clock.now()
  return issueCertificate({
    commonName: 'rollbed simulated enclaves root',
    notBefore: now - HEAD_START,
    notAfter: now + 30 * 365 * DAY,
    rng,
  })
}

export interface CertificateChain {
  /** Certificates valid now, with those that run out issued again. */
  current(): { leaf: Issued; bundle: Uint8Array[] }
}

/**
 * root → regional (20 days) → zonal (6 days) → instance (24 hours) → enclave (3 hours), with the
 * lifetimes and path lengths of real Nitro chains. Nothing is issued before it is asked for.
 */
export function createCertificateChain(options: {
  root: Issued
  moduleId: string
  clock: Clock
  rng: Rng
}): CertificateChain {
  const { root, moduleId, clock, rng } = options
  const domain = 'sim-1.enclaves.rollbed'
  const levels = [
    { commonName: domain, lifetime: 20 * DAY, pathLength: 2 },
    { commonName: `zone-a.${domain}`, lifetime: 6 * DAY, pathLength: 1 },
    { commonName: `${moduleId.split('-enc')[0]}.${domain}`, lifetime: DAY, pathLength: 0 },
    { commonName: `${moduleId}.${domain}`, lifetime: 3 * HOUR, pathLength: 'none' },
  ] as const
  const issued: Issued[] = []

  return {
    current() {
      const now = clock.now()
      const due = issued.findIndex(({ notAfter }) => notAfter - RENEWAL <= now)
      if (due >= 0) issued.length = due
      for (const { commonName, lifetime, pathLength } of levels.slice(issued.length)) {
        const issuer = issued.at(-1) ?? root
        issued.push(
          issueCertificate({
            commonName,
            pathLength,
            issuer,
            notBefore: now - HEAD_START,
            notAfter: Math.min(now + lifetime, issuer.notAfter),
            rng,
          }),
        )
      }
      const bundle = [root, ...issued.slice(0, -1)].map(({ certificate }) => certificate)
      return { leaf: issued.at(-1)!, bundle }
    },
  }
}
