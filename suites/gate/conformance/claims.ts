import type { Area } from './conformance-case.ts'

/**
 * What an implementation says that it is, and the areas by whose cases that is judged. Who claims one part is
 * measured by the rules of that part, and by no others.
 */
export const CLAIMS = {
  reads: ['envelope', 'selectors', 'block', 'logs', 'call', 'simulate', 'storage'],
  pending: ['pending'],
  streams: ['stream'],
  'builder-codes': ['builder-codes'],
  'prover-host': ['prover', 'attestation', 'host'],
  enclave: ['enclave'],
  journal: ['journal', 'verifier'],
  proposer: ['proposer'],
  challenger: ['challenger'],
  registrar: ['registrar'],
  client: ['client'],
  today: ['today'],
} as const satisfies Readonly<Record<string, readonly Area[]>>

export type Claim = keyof typeof CLAIMS

/** The areas of some claims. */
export function areasOf(claims: readonly Claim[]): ReadonlySet<Area> {
  return new Set(claims.flatMap((claim): readonly Area[] => CLAIMS[claim]))
}
