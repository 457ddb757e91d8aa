import type { Address } from '#protocol/types/bytes'
import { type Candidate, candidatesOf, nameOf } from './candidates.ts'
import { type SignedClaim, unknownIn } from './signed-claim.ts'
import { solveByByte, solveByField } from './solve-claim.ts'

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
 * fits, the single field, and if asked for the single byte, that was signed otherwise.
 */
export function findReadings(
  claims: readonly SignedClaim[],
  signers: readonly Address[],
  { triesBytes = false }: { triesBytes?: boolean } = {},
): Finding[] {
  const known = new Set(signers.length ? signers : agreedSigners(claims))
  const distinct = new Set(claims.map(({ signature }) => signature)).size
  const signerUnknown = known.size === 0 && distinct < 2
  const usual = new Set<string>([''])
  let searches = 0
  let triedByByte = 0

  const find = (claim: SignedClaim): Finding => {
    let specified: Candidate | undefined
    let found: Candidate | undefined
    const inFull = searches < SEARCHED
    for (const candidate of candidatesOf(claim, inFull ? undefined : usual)) {
      if (candidate.departures.length === 0) specified = candidate
      if (!known.has(candidate.signer)) continue
      found = candidate
      break
    }
    if (!found && known.size > 0 && claim.signature && !claim.digest && !unknownIn(claim)) {
      if (inFull) found = solveByField(claim, claims, known)
      if (!found && triesBytes && triedByByte++ < TRIED_BY_BYTE) found = solveByByte(claim, known)
    }
    if (!found || found.departures.length) searches += 1
    if (found) usual.add(nameOf(found.departures))
    return { claim, signerUnknown, ...(found && { found }), ...(specified && { specified }) }
  }
  return claims.map((claim) => {
    const finding = find(claim)
    if (finding.found || !claim.otherwise) return finding
    const other = find(claim.otherwise)
    return other.found ? other : finding
  })
}

function agreedSigners(claims: readonly SignedClaim[]): Address[] {
  const bySignature = new Map(claims.map((claim) => [claim.signature, claim]))
  const seen = new Map<Address, { claims: number; departures: number }>()
  for (const claim of [...bySignature.values()].slice(0, COMPARED)) {
    const fewest = new Map<Address, number>()
    for (const { signer, departures } of candidatesOf(claim))
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
