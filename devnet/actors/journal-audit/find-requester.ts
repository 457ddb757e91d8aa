import type { Address, Hash } from '#protocol/types/bytes'
import { candidatesOf } from './candidates.ts'
import type { NamedSchedule } from './known-schedules.ts'
import { readProofResult } from './read-proof-result.ts'
import type { Known, SignedClaim } from './signed-claim.ts'

/** Claims that are tried in every reading, not in the specified one alone; each takes a tenth of a second. */
const SEARCHED = 2

/** For whom an answer may have been made, in which images, and by whom. */
export interface Requesters {
  proposers: readonly Address[]
  imageHashes: readonly Hash[]
  signers: readonly Address[]
  schedules?: readonly NamedSchedule[]
}

/**
 * For which of some accounts, and in which of some images, a ProofResult was made: those by which a
 * signature of it recovers to a signer. Undefined where none does: then it is nobody's of these.
 * @throws ProofResultInvalid
 */
export function findRequester(
  json: unknown,
  known: Known,
  { proposers, imageHashes, signers, schedules }: Requesters,
): { proposer: Address; teeImageHash: Hash } | undefined {
  const allowed = new Set(signers)
  const fits = (claim: SignedClaim, only?: ReadonlySet<string>) => {
    for (const { signer } of candidatesOf(claim, only)) if (allowed.has(signer)) return true
    return false
  }
  const pairs = proposers.flatMap((proposer) =>
    imageHashes.map((teeImageHash) => {
      const claims = readProofResult(json, { ...known, proposer, teeImageHash }, schedules)
      return { proposer, teeImageHash, claims }
    }),
  )
  const found =
    pairs.find(({ claims }) => claims.some((claim) => fits(claim, SPECIFIED))) ??
    pairs.find(({ claims }) => claims.slice(0, SEARCHED).some((claim) => fits(claim)))
  return found && { proposer: found.proposer, teeImageHash: found.teeImageHash }
}

const SPECIFIED: ReadonlySet<string> = new Set([''])
