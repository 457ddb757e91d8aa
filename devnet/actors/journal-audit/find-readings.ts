import type { Address } from '#protocol/types/bytes'
import { type Candidate, candidatesOf, nameOf } from './candidates.ts'
import { lacksInterval, type SignedClaim, unknownIn } from './signed-claim.ts'
import { solveByByte, solveByClaim, solveByField, solveByNumber } from './solve-claim.ts'

/** How a signature was found to be made. */
export interface Finding {
  /** What was judged: the claim, or the same over another range that a signature fits. */
  claim: SignedClaim
  /** The reading that gives a signer we know; absent when none does. */
  found?: Candidate
  /** What the specified journal recovers to; absent when the bytes are no signature. */
  specified?: Candidate
  /** Nothing says who should have signed. */
  signerUnknown: boolean
}

/** Claims compared with each other when nobody says who signed. */
const COMPARED = 4
/** Claims of which single bytes are tried: each takes seconds. */
const TRIED_BY_BYTE = 2
/** Claims that are searched in full; the others are tried with what was found for these. */
const SEARCHED = 16

/**
 * For each claim, the reading with the fewest departures that recovers to a known signer. Without
 * known signers those count that two different signatures agree on: by chance they never do. Where none
 * fits, the single field that was signed otherwise, or the claim whose signature it is; and if asked for a
 * number that is far off, or the single byte.
 */
export function findReadings(
  claims: readonly SignedClaim[],
  signers: readonly Address[],
  { triesBytes = false }: { triesBytes?: boolean } = {},
): Finding[] {
  const known = new Set(signers.length ? signers : agreedSigners(claims))
  const distinct = new Set(claims.map(withoutRecoveryId)).size
  const signerUnknown = known.size === 0 && distinct < 2
  const usual = new Set<string>([''])
  let searches = 0
  let triedByByte = 0

  const read = (claim: SignedClaim, inFull: boolean): Finding => {
    let specified: Candidate | undefined
    let found: Candidate | undefined
    for (const candidate of candidatesOf(claim, inFull ? undefined : usual)) {
      if (candidate.departures.length === 0) specified = candidate
      if (!known.has(candidate.signer)) continue
      found = candidate
      break
    }
    if (!found || found.departures.length) searches += 1
    return findingOf(claim, specified, found)
  }
  const findingOf = (claim: SignedClaim, specified?: Candidate, found?: Candidate): Finding => {
    if (found) usual.add(nameOf(found.departures))
    const departures = [...(claim.departs ? [claim.departs] : []), ...(found?.departures ?? [])]
    return {
      claim,
      signerUnknown,
      ...(found && { found: { ...found, departures } }),
      ...(specified && { specified }),
    }
  }
  const solve = (claim: SignedClaim, inFull: boolean): Candidate | undefined => {
    if (known.size === 0 || !claim.signature || claim.digest) return undefined
    // Each interval is one more journal: fields are tried in the likely ones, bytes in none.
    const isKnown = !unknownIn(claim)
    const byField = inFull && (isKnown || isKnownBut(claim)) && solveByField(claim, claims, known)
    const solved = byField || (inFull && solveByClaim(claim, claims, { signers: known, usual }))
    if (solved) return solved
    if (!isKnown || !triesBytes || triedByByte++ >= TRIED_BY_BYTE) return undefined
    return solveByNumber(claim, known) ?? solveByByte(claim, known)
  }
  return claims.map((claim) => {
    const inFull = searches < SEARCHED
    const findings: Finding[] = []
    for (const each of [claim, ...(claim.otherwise ?? [])]) {
      const finding = read(each, inFull)
      if (finding.found) return finding
      findings.push(finding)
    }
    for (const { claim: each, specified } of findings) {
      const found = solve(each, inFull)
      if (found) return findingOf(each, specified, found)
    }
    return findings[0]!
  })
}

/** The signature of a claim over the journal of another: two may be swapped. */
function asSignatureOf(
  { journal, ...other }: SignedClaim,
  { signature }: SignedClaim,
): Candidate[] {
  if (other.digest || !signature) return []
  return [...candidatesOf({ ...other, journal, signature }, new Set(['']))]
}

/** All but the stride of an aggregate. */
function isKnownBut(claim: SignedClaim): boolean {
  return lacksInterval(claim) && !unknownIn({ interval: 1n, ...claim })
}

/** Two that differ in their recovery id alone agree on two signers: they count as one. */
function withoutRecoveryId({ signature }: SignedClaim): string | undefined {
  return signature?.slice(0, 2 + 2 * 64)
}

function agreedSigners(claims: readonly SignedClaim[]): Address[] {
  const bySignature = new Map(claims.map((claim) => [withoutRecoveryId(claim), claim]))
  const seen = new Map<Address, { claims: number; departures: number }>()
  const compared = [...bySignature.values()].slice(0, COMPARED)
  for (const claim of compared) {
    const fewest = new Map<Address, number>()
    const others = compared.filter((other) => other !== claim)
    for (const { signer, departures } of [
      ...candidatesOf(claim),
      ...others.flatMap((other) => asSignatureOf(other, claim)),
    ])
      if (!fewest.has(signer)) fewest.set(signer, departures.length)
    for (const [signer, departures] of fewest) {
      const before = seen.get(signer) ?? { claims: 0, departures: 0 }
      seen.set(signer, {
        claims: before.claims + 1,
        departures: before.departures + departures,
      })
    }
  }
  const agreed = [...seen].filter(([, each]) => each.claims > 1)
  agreed.sort(([, one], [, other]) => one.departures - other.departures)
  return agreed.slice(0, 1).map(([signer]) => signer)
}
