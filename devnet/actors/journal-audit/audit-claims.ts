import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Journal } from '#protocol/journal/journal'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import type { Audit, AuditedClaim, Check, FieldBytes, OpenReading } from './audit.ts'
import { type Candidate, nameOf } from './candidates.ts'
import { checkRules, type HeadKnowledge, worst } from './check-rules.ts'
import { type Finding, findReadings } from './find-readings.ts'
import { digestReading, type EncodedJournal, type Reading, specifiedReading } from './reading.ts'
import { type L1HeadNumbers, lacksInterval, type SignedClaim, unknownIn } from './signed-claim.ts'

/**
 * Judges claims together: says for each which journal its signature was made over, who made it, and
 * which rules hold.
 * @param signers who may have signed; empty when nobody knows
 */
export function auditClaims(
  input: string,
  claims: readonly SignedClaim[],
  signers: readonly Address[],
  { heads, triesBytes = false }: { heads?: L1HeadNumbers | undefined; triesBytes?: boolean } = {},
): Audit {
  const findings = findReadings(claims, signers, { triesBytes })
  const numbersByHead = collectNumbers(claims)
  const audited = findings.map((finding) => auditClaim(finding, { heads, numbersByHead }))
  return {
    input,
    verdict: worst(audited.map(({ verdict }) => verdict)),
    claims: audited,
    notes: [...notesOn(claims, findings), ...(heads ? [] : unchecked(claims))],
  }
}

/** The numbers that claims give to each L1 head: a block has one. */
function collectNumbers(claims: readonly SignedClaim[]): HeadKnowledge['numbersByHead'] {
  const numbersByHead = new Map<Hash, Map<bigint, number>>()
  for (const { journal, l1HeadNumber } of claims) {
    if (l1HeadNumber === undefined) continue
    const numbers = numbersByHead.get(journal.l1OriginHash) ?? new Map<bigint, number>()
    numbers.set(l1HeadNumber, (numbers.get(l1HeadNumber) ?? 0) + 1)
    numbersByHead.set(journal.l1OriginHash, numbers)
  }
  return numbersByHead
}

function auditClaim(finding: Finding, known: HeadKnowledge): AuditedClaim {
  const { claim, found, specified } = finding
  const reading = found?.reading ?? readingOf(claim)
  const encoded = reading.encode(reading.journal)
  const signer = (found ?? specified)?.signer
  const checks = checkRules(claim, finding, known)
  const departures = found
    ? broken(found)
    : claim.layout && !claim.layout.open
      ? [claim.layout]
      : []
  const readings = readingsIn(checks)
  return {
    name: claim.name,
    subject: claim.subject,
    summary: `${claim.name}: ${summarise(claim, finding, encoded)}`,
    verdict: worst(checks.map(({ verdict }) => verdict)),
    layout: reading.layout,
    departures: departures.map(({ says }) => says),
    readings,
    ...(claim.schedule && { schedule: { id: claim.schedule.id, says: claim.schedule.says } }),
    bytes: bytesToHex(encoded.bytes),
    fields: fieldsOf(encoded, reading, found ? [] : claim.assumed),
    digest: bytesToHex(reading.digest(encoded.bytes)),
    ...(claim.signature && { signature: claim.signature }),
    ...(signer && { signer }),
    checks,
  }
}

function readingOf({ journal, layout, digest, schedule }: SignedClaim): Reading {
  if (digest) return digestReading(journal, digest)
  const specified = specifiedReading(journal, schedule)
  return layout?.apply(specified) ?? specified
}

/** A reading may also supply what nobody told, or read an open point otherwise: that breaks no rule. */
const broken = ({ departures }: Candidate) =>
  departures.filter(({ rules, open }) => rules.length > 0 && !open)

/** Each open point that was read otherwise, once. */
function readingsIn(checks: readonly Check[]): OpenReading[] {
  const readings = checks.flatMap(({ open, says }) => (open ? [{ open, says }] : []))
  return [...new Map(readings.map((each) => [`${each.open} ${each.says}`, each])).values()]
}

function summarise(claim: SignedClaim, finding: Finding, { bytes }: EncodedJournal): string {
  const { found, specified, signerUnknown } = finding
  const asked = claim.schedule ? 'scheduled' : 'specified'
  const size = claim.digest ? 'journal' : `journal of ${bytes.length} bytes`
  if (claim.signature === undefined)
    return `${size}${claim.layout ? ` with ${claim.layout.says}` : ''}, not signed`
  if (found && broken(found).length === 0) {
    const supplied = nameOf(found.departures)
    return `fits the ${asked} ${size}${supplied && ` (${supplied})`}; signed by ${found.signer}`
  }
  const whose = found?.departures.find(({ part }) => part === 'claim')
  if (found && whose) return `has ${whose.says}, none of its own; signed by ${found.signer}`
  if (found)
    return `fits a ${size} with ${nameOf(found.departures)}, not the ${asked} one; signed by ${found.signer}`
  const recovered = specified
    ? `over the ${asked} journal it recovers to ${specified.signer}`
    : `over the ${asked} journal it recovers to nobody`
  const unknown = unknownIn(claim)
  if (!signerUnknown && unknown) return `cannot be judged: ${unknown}; ${recovered}`
  return signerUnknown
    ? `cannot be judged without a known signer; ${recovered}`
    : `fits no known journal; ${recovered}, which is no known signer`
}

function fieldsOf(
  { bytes, map }: EncodedJournal,
  { journal }: Reading,
  assumed: readonly (keyof Journal)[],
): FieldBytes[] {
  return map.map(({ field, offset, size }) => {
    const part = bytesToHex(bytes.subarray(offset, offset + size)) as Hex
    const whole = journal[field as keyof Journal]
    return {
      field,
      offset,
      size,
      bytes: part,
      value: typeof whole === 'bigint' ? BigInt(part).toString() : part,
      assumed: assumed.some((name) => name === field),
    }
  })
}

/** What stands beside the signed bytes, and nobody vouches for. */
function unchecked(claims: readonly SignedClaim[]): string[] {
  const numbers = new Set(claims.flatMap(({ l1HeadNumber }) => l1HeadNumber ?? []))
  if (numbers.size === 0) return []
  const list = [...numbers].join(', ')
  return [
    `Not in the signed bytes and not checked: the number of the L1 head, ${list}. Give --l1 to hold it against the head's header.`,
  ]
}

const FLAGS: Partial<Record<keyof Journal, string>> = {
  proposer: '--proposer',
  l1OriginHash: '--l1-origin',
  prevOutputRoot: '--prev-root',
  startingL2Block: '--start',
  configHash: '--config-hash',
  teeImageHash: '--image-hash',
}

function remedy(field: keyof Journal, open: readonly SignedClaim[]): string {
  const flag = FLAGS[field]
  if (flag) return `give ${flag}`
  // An interval of a game ends where it starts and its stride say.
  const isInterval = open.some(({ subject, interval }) => subject === 'interval' && !interval)
  if (field === 'endingL2Block' && isInterval) return 'give --start and --interval'
  return 'it is in the call that made the game'
}

function notesOn(claims: readonly SignedClaim[], findings: readonly Finding[]): string[] {
  const signed = claims.filter(({ signature }) => signature)
  const open = claims.filter((claim, index) => claim.signature && !findings[index]!.found)
  const isForgedWhole = signed.length > 1 && open.length === signed.length && !open.some(unknownIn)
  const assumed = new Set(open.flatMap((claim) => claim.assumed))
  return [
    ...[...assumed].map(
      (field) => `${field} is not known, zeros stand in: ${remedy(field, open)}.`,
    ),
    ...(open.some(({ lacksStart }) => lacksStart)
      ? ['How many proposals are missing before the first is not known: give --start.']
      : []),
    ...(open.some(lacksInterval)
      ? ['None of the intervals that were tried fits the aggregate: give --interval.']
      : []),
    ...(claims.some(
      ({ subject, journal, schedule }) => subject === 'journal' && journal.scheduleId && !schedule,
    )
      ? [
          'A chain with upgrades names a schedule there: give --schedule-id, and it is no departure.',
        ]
      : []),
    ...(isForgedWhole
      ? [
          'No signature of it fits, which is seldom forgery: it may have been made for another proposer, in another image, or by another signer than was given.',
        ]
      : []),
    ...(findings.some(({ signerUnknown }) => signerUnknown)
      ? ['Who should have signed is not known: give --signer.']
      : []),
  ]
}
