import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256 } from '#protocol/crypto/keccak'
import { recoverAddress } from '#protocol/crypto/recover-address'
import type { Journal } from '#protocol/journal/journal'
import type { Address, Hash } from '#protocol/types/bytes'
import { type Candidate, candidatesOf, digestOf } from './candidates.ts'
import type { Departure } from './departure.ts'
import { rootsDeparture } from './departures-of.ts'
import { FIELD_RULES } from './field-rules.ts'
import { type Reading, recoveryId, specifiedReading } from './reading.ts'
import {
  lacksInterval,
  type SignedClaim,
  unknownIn,
  ZERO_ADDRESS,
  ZERO_HASH,
} from './signed-claim.ts'

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
/** The same where time is given: some seconds. */
const FAR = 2048n

interface Guess {
  rules: readonly string[]
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
  for (const { journal, roots } of basesOf(claim)) {
    const found = firstThatFits(claim, guessesOf({ ...claim, journal }, claims), signers)
    if (found) return { ...found, departures: [...roots, ...found.departures] }
  }
  return undefined
}

/** The number of a block that is far off: two times some thousand recoveries. */
export function solveByNumber(
  claim: SignedClaim,
  signers: ReadonlySet<Address>,
): Candidate | undefined {
  return firstThatFits(claim, numbersAround(claim, FAR), signers)
}

/** The claim whose signature this is. */
export function solveByClaim(
  { name, signature, digest }: SignedClaim,
  claims: readonly SignedClaim[],
  { signers, usual }: { signers: ReadonlySet<Address>; usual: ReadonlySet<string> },
): Candidate | undefined {
  if (!signature || digest) return undefined
  for (const other of claims) {
    if (other.name === name || other.digest || unknownIn({ interval: 1n, ...other })) continue
    const strides = lacksInterval(other) ? other.otherRoots.filter(({ interval }) => interval) : []
    const names = new Set([...usual, ...strides.map(({ says }) => says)])
    for (const candidate of candidatesOf({ ...other, signature }, names)) {
      if (!signers.has(candidate.signer)) continue
      const whose: Departure = {
        part: 'claim',
        says: `the signature of ${other.name}`,
        rules: ['SIG-03'],
        apply: (reading) => reading,
      }
      return { ...candidate, departures: [whose, ...candidate.departures] }
    }
  }
  return undefined
}

/** The journal; where nobody tells the interval, one for each that divides the range. */
function basesOf(claim: SignedClaim): { journal: Journal; roots: Departure[] }[] {
  const { journal, otherRoots } = claim
  if (!lacksInterval(claim)) return [{ journal, roots: [] }]
  const blocks = journal.endingL2Block - journal.startingL2Block
  return otherRoots
    .filter(({ interval }) => interval && blocks % interval === 0n)
    .map((reading) => ({
      journal: { ...journal, intermediateRoots: reading.roots },
      roots: [rootsDeparture(reading)],
    }))
}

function firstThatFits(
  claim: SignedClaim,
  guesses: Iterable<Guess>,
  signers: ReadonlySet<Address>,
): Candidate | undefined {
  for (const { rules, says, journal } of guesses) {
    const reading = specifiedReading(journal, claim.schedule)
    const signer = signerOf(claim, digestOf(reading))
    if (signer && signers.has(signer))
      return { reading, signer, departures: [departure(rules, says, { journal })] }
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
        return { reading, signer, departures: [departure([FIELD_RULES[field]], says, reading)] }
      }
    }
  }
  return undefined
}

function* guessesOf(claim: SignedClaim, claims: readonly SignedClaim[]): Generator<Guess> {
  const { journal } = claim
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
      if (value !== journal[field]) yield withField(journal, field, value, `as ${whose}`)
  yield* numbersAround(claim, NEAR)
  for (const [other, whose] of numbers) {
    for (const field of NUMBERS)
      if (other !== journal[field]) yield withField(journal, field, other, `as ${whose}`)
    yield* shifted(claim, other - journal.endingL2Block)
    yield* shifted(claim, other + 1n - journal.endingL2Block)
  }
  if (journal.proposer !== ZERO_ADDRESS)
    for (const { name, journal: other } of claims)
      if (other.proposer !== journal.proposer)
        yield {
          rules: [FIELD_RULES.proposer],
          says: `proposer as that of ${name}`,
          journal: { ...journal, proposer: other.proposer },
        }
  yield* guessRoots(journal, hashes)
}

function withField<name extends keyof typeof FIELD_RULES>(
  journal: Journal,
  field: name,
  value: Journal[name],
  says: string,
): Guess {
  const rules = [FIELD_RULES[field]]
  return { rules, says: `${field} ${says}`, journal: { ...journal, [field]: value } }
}

/** Numbers near what is claimed, or a short way from the other end of the range. */
function* numbersAround(claim: SignedClaim, distance: bigint): Generator<Guess> {
  const { journal } = claim
  const { startingL2Block: start, endingL2Block: end } = journal
  for (let by = 1n; by <= distance; by += 1n) {
    for (const [field, value, other] of [
      ['startingL2Block', start, end - by],
      ['endingL2Block', end, start + by],
    ] as const)
      for (const near of new Set([value + by, value - by, other]))
        if (near >= 0n && near !== value)
          yield withField(journal, field, near, `as ${near}, not ${value}`)
    yield* shifted(claim, by)
    yield* shifted(claim, -by)
  }
}

/** Both ends by the same: an answer tells one number, of which both are made. */
function* shifted({ journal, subject }: SignedClaim, by: bigint): Generator<Guess> {
  const { startingL2Block: start, endingL2Block: end } = journal
  if (by === 0n || start + by < 0n) return
  const isAnswer = subject === 'block' || subject === 'aggregate'
  yield {
    rules: isAnswer ? ['PRV-PROP-05'] : [FIELD_RULES.startingL2Block, FIELD_RULES.endingL2Block],
    says: isAnswer
      ? `l2_block_number as ${end + by}, not ${end}`
      : `startingL2Block and endingL2Block as ${start + by} and ${end + by}, not ${start} and ${end}`,
    journal: { ...journal, startingL2Block: start + by, endingL2Block: end + by },
  }
}

function* guessRoots(journal: Journal, hashes: ReadonlyMap<Hash, string>): Generator<Guess> {
  const field = 'intermediateRoots'
  const rules = [FIELD_RULES[field]]
  const { intermediateRoots: roots } = journal
  for (const [index, root] of roots.entries()) {
    for (const [value, whose] of hashes) {
      if (value === root) continue
      const says = `${field}[${index}] as ${whose}`
      yield { rules, says, journal: { ...journal, [field]: roots.with(index, value) } }
    }
    if (index === 0) continue
    const swapped = roots.with(index, roots[index - 1]!).with(index - 1, root)
    const says = `${field}[${index - 1}] and [${index}] swapped`
    yield { rules, says, journal: { ...journal, [field]: swapped } }
  }
}

function remember<T>(known: Map<T, string>, value: T, whose: string): void {
  if (!known.has(value)) known.set(value, whose)
}

function departure(rules: readonly string[], says: string, changed: Partial<Reading>): Departure {
  return {
    part: 'value',
    says: `${says}, signed instead of what is claimed`,
    rules,
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
