import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { recoverAddress } from '#protocol/crypto/recover-address'
import { JournalInvalid } from '#protocol/journal/journal'
import type { Address } from '#protocol/types/bytes'
import type { Departure } from './departure.ts'
import { departuresOf } from './departures-of.ts'
import { digestReading, type Reading, recoveryId, specifiedReading } from './reading.ts'
import { type SignedClaim, ZERO_HASH } from './signed-claim.ts'

/** A reading under which the signature recovers to somebody. */
export interface Candidate {
  reading: Reading
  departures: Departure[]
  signer: Address
}

/**
 * Every reading of a claim with at most two departures in different parts, fewest first. About 500
 * recoveries of 0.1 ms each; a third departure would cost seconds and has not been seen.
 * @param only names of departures to stay with
 */
export function* candidatesOf(
  claim: SignedClaim,
  only?: ReadonlySet<string>,
): Generator<Candidate> {
  if (claim.signature === undefined) return
  const signature = hexToBytes(claim.signature)
  const journal = { scheduleId: ZERO_HASH, ...claim.journal }
  const specified = claim.digest
    ? digestReading(journal, claim.digest)
    : specifiedReading(journal, claim.schedule)
  const possible = departuresOf(claim).filter(({ part }) => !claim.digest || part === 'signature')
  const seen = new Set<string>()

  for (const departures of combinations(possible)) {
    if (only && !only.has(nameOf(departures))) continue
    const reading = departures.reduce((made, departure) => departure.apply(made), specified)
    const split = reading.split(signature)
    const id = split && recoveryId(split.v)
    const digest = digestOf(reading)
    if (!split || id === undefined || !digest) continue
    const key = `${bytesToHex(digest)}${bytesToHex(split.compact)}${id}`
    if (seen.has(key)) continue
    seen.add(key)
    const signer = recoverAddress(digest, split.compact, id)
    if (signer) yield { reading, departures, signer }
  }
}

/** The same for two signatures that were made in the same way. */
export function nameOf(departures: readonly Departure[]): string {
  return departures.map(({ says }) => says).join(' and ')
}

function* combinations(departures: Departure[]): Generator<Departure[]> {
  yield []
  for (const one of departures) yield [one]
  for (const [index, one] of departures.entries())
    for (const other of departures.slice(index + 1))
      if (one.part !== other.part && !one.alone && !other.alone) yield [one, other]
}

/** undefined for values that this layout has no room for. */
export function digestOf({ encode, journal, digest }: Reading): Uint8Array | undefined {
  try {
    return digest(encode(journal).bytes)
  } catch (error) {
    if (error instanceof JournalInvalid) return undefined
    throw error
  }
}
