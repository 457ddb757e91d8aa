import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { recoverAddress } from '#protocol/crypto/recover-address'
import type { Journal } from '#protocol/journal/journal'
import type { Address, Hash } from '#protocol/types/bytes'
import { type Candidate, digestOf } from './candidates.ts'
import type { Departure } from './departure.ts'
import { FIELD_RULES } from './field-rules.ts'
import { type Reading, recoveryId, specifiedReading } from './reading.ts'
import { type SignedClaim, ZERO_ADDRESS, ZERO_HASH } from './signed-claim.ts'

const HASHES = [
  'l1OriginHash',
  'prevOutputRoot',
  'outputRoot',
  'configHash',
  'teeImageHash',
] as const
const NUMBERS = ['startingL2Block', 'endingL2Block'] as const

/** Blocks by which a number is tried to be off, both ways. */
const NEAR = 16n

interface Guess {
  field: keyof typeof FIELD_RULES
  /** What was signed instead, as a phrase. */
  says: string
  journal: Journal
}

/**
 * The one field that was signed with another value than the one claimed: a value that stands elsewhere
 * among the claims, or a number near by. Some hundred recoveries of 0.1 ms each.
 * @param claims all of them: their values are tried
 */
export function solveByField(
  claim: SignedClaim,
  claims: readonly SignedClaim[],
  signers: ReadonlySet<Address>,
): Candidate | undefined {
  for (const { field, says, journal } of guessesOf(claim, claims)) {
    const reading = specifiedReading(journal, claim.schedule)
    const signer = signerOf(claim, digestOf(reading))
    if (signer && signers.has(signer)) {
      return { reading, signer, departures: [departure(field, says, { journal })] }
    }
  }
  return undefined
}

/**
 * The one byte that was signed with another value: single bits first, then all values. Up to 50,000
 * recoveries for each 196 bytes: some seconds.
 */
export function solveByByte(
  { journal, schedule, ...claim }: SignedClaim,
  signers: ReadonlySet<Address>,
): Candidate | undefined {
  const specified = specifiedReading(journal, schedule)
  const { bytes, map } = specified.encode(journal)
  for (const values of [singleBits, otherValues]) {
    for (const [offset, before] of bytes.entries()) {
      for (const value of values(before)) {
        const changed = Uint8Array.from(bytes)
        changed[offset] = value
        const signer = signerOf(claim, keccak256(changed))
        if (!signer || !signers.has(signer)) continue
        const part = map.find((each) => offset < each.offset + each.size)!
        const field = part.field.replace(/\[\d+\]$/, '') as keyof typeof FIELD_RULES
        const place = `byte ${offset - part.offset} of ${part.field}`
        const says = `${place} (offset ${offset}) as ${hexByte(value)}, not ${hexByte(before)}`
        const reading = { ...specified, encode: () => ({ bytes: changed, map }) }
        return { reading, signer, departures: [departure(field, says, reading)] }
      }
    }
  }
  return undefined
}

function* guessesOf({ journal }: SignedClaim, claims: readonly SignedClaim[]): Generator<Guess> {
  const hashes = new Map<Hash, string>([[ZERO_HASH, 'zero']])
  const numbers = new Map<bigint, string>()
  for (const { name, journal: other } of claims) {
    for (const field of HASHES) remember(hashes, other[field], `${field} of ${name}`)
    for (const [index, root] of other.intermediateRoots.entries())
      remember(hashes, root, `intermediateRoots[${index}] of ${name}`)
    for (const field of NUMBERS) remember(numbers, other[field], `${field} of ${name}`)
  }
  for (const field of HASHES)
    for (const [value, whose] of hashes)
      if (value !== journal[field])
        yield { field, says: `${field} as ${whose}`, journal: { ...journal, [field]: value } }
  for (const field of NUMBERS) {
    const value = journal[field]
    for (let by = 1n; by <= NEAR; by += 1n)
      for (const near of [value + by, value - by]) {
        const says = `${field} as ${near}, not ${value}`
        if (near >= 0n) yield { field, says, journal: { ...journal, [field]: near } }
      }
    for (const [other, whose] of numbers)
      if (other !== value)
        yield { field, says: `${field} as ${whose}`, journal: { ...journal, [field]: other } }
  }
  if (journal.proposer !== ZERO_ADDRESS)
    for (const { name, journal: other } of claims)
      if (other.proposer !== journal.proposer)
        yield {
          field: 'proposer',
          says: `proposer as that of ${name}`,
          journal: { ...journal, proposer: other.proposer },
        }
  yield* guessRoots(journal, hashes)
}

function* guessRoots(journal: Journal, hashes: ReadonlyMap<Hash, string>): Generator<Guess> {
  const field = 'intermediateRoots'
  const { intermediateRoots: roots } = journal
  for (const [index, root] of roots.entries()) {
    for (const [value, whose] of hashes) {
      if (value === root) continue
      const says = `${field}[${index}] as ${whose}`
      yield { field, says, journal: { ...journal, [field]: roots.with(index, value) } }
    }
    if (index === 0) continue
    const swapped = roots.with(index, roots[index - 1]!).with(index - 1, root)
    const says = `${field}[${index - 1}] and [${index}] swapped`
    yield { field, says, journal: { ...journal, [field]: swapped } }
  }
}

function remember<T>(known: Map<T, string>, value: T, whose: string): void {
  if (!known.has(value)) known.set(value, whose)
}

function departure(
  field: keyof typeof FIELD_RULES,
  says: string,
  changed: Partial<Reading>,
): Departure {
  return {
    part: 'value',
    says: `${says}, signed instead of what is claimed`,
    rules: [FIELD_RULES[field]],
    apply: (reading) => ({ ...reading, ...changed }),
  }
}

function signerOf(
  { signature }: Pick<SignedClaim, 'signature'>,
  digest: Uint8Array | undefined,
): Address | undefined {
  const bytes = signature && hexToBytes(signature)
  const id = bytes?.length === 65 ? recoveryId(bytes[64]!) : undefined
  if (!bytes || id === undefined || !digest) return undefined
  return recoverAddress(digest, bytes.subarray(0, 64), id)
}

const singleBits = (before: number) => Array.from({ length: 8 }, (_, bit) => before ^ (1 << bit))
const otherValues = (before: number) =>
  Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== before)
const hexByte = (value: number) => bytesToHex(Uint8Array.of(value))
