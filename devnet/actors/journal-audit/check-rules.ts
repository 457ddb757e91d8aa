import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { HALF_ORDER } from '#protocol/crypto/recover-address'
import type { Journal } from '#protocol/journal/journal'
import type { Hash } from '#protocol/types/bytes'
import type { Check, Verdict } from './audit.ts'
import { FIELD_RULES } from './field-rules.ts'
import type { Finding } from './find-readings.ts'
import { recoveryId, specifiedReading } from './reading.ts'
import { countsOfRoots, openCount } from './roots-readings.ts'
import { type L1HeadNumbers, ON_CHAIN, type SignedClaim, unknownIn } from './signed-claim.ts'

const LAYOUT_RULES = ['JRN-01', 'JRN-02', ...Object.values(FIELD_RULES)]

const SUBJECT_RULES: Record<SignedClaim['subject'], readonly string[]> = {
  block: ['JRN-12', 'JRN-13'],
  aggregate: ['JRN-14', 'JRN-15', 'JRN-16'],
  game: ['JRN-14', 'JRN-15', 'JRN-16'],
  interval: ['JRN-14', 'JRN-15', 'JRN-16'],
  journal: [],
  digest: [],
}

/** Whose roots are given, by number; a dispute has one root always. */
const COUNTED = new Set<SignedClaim['subject']>(['journal', 'game'])

/** Every journal and signature rule that this claim can show, with what was found. */
export function checkRules(claim: SignedClaim, finding: Finding, known: HeadKnowledge): Check[] {
  return [
    ...checkReading(claim, finding),
    ...checkExpected(claim),
    ...checkCount(claim),
    ...checkHead(claim, known),
    ...checkSignature(claim, finding),
    ...checkChain(claim, finding),
    ...(claim.disorder ?? []).map(({ rule, says }) => check(rule, false, says)),
  ]
}

/** The layout, by what the signature fits. */
function checkReading(claim: SignedClaim, { found, signerUnknown }: Finding): Check[] {
  if (claim.signature === undefined) return []
  const { subject, interval, journal } = claim
  const { startingL2Block: start, endingL2Block: end } = journal
  const rules =
    subject === 'digest'
      ? ['SIG-03']
      : [...LAYOUT_RULES, ...SUBJECT_RULES[subject], 'JRN-21', 'JRN-22', 'SIG-03']
  if (!found) {
    const unknown = unknownIn(claim)
    const says = signerUnknown
      ? 'nobody says who should have signed'
      : unknown
        ? `${unknown}, so that its bytes are not known`
        : 'the signature fits no known journal'
    return [...rules, 'SIG-05'].map((rule) => ({
      rule,
      says,
      verdict: rule === 'SIG-05' && !signerUnknown && !unknown ? 'fail' : 'unknown',
    }))
  }
  const departures = new Map(
    found.departures.flatMap((departure) => departure.rules.map((id) => [id, departure] as const)),
  )
  // The length of a signature is checked by itself.
  const own = [...departures.keys()].filter((rule) => rule !== 'SIG-01')
  const count = subject === 'aggregate' && interval && countSays({ start, end, interval }).chosen
  const size =
    claim.schedule && `32 bytes more: the id of a schedule of upgrades, ${claim.schedule.says}`
  return [...new Set([...rules, ...own, 'SIG-05'])].map((rule): Check => {
    const departure = departures.get(rule)
    if (departure?.open) return readOtherwise(rule, departure.open, departure.says)
    if (departure) return check(rule, false, departure.says)
    const says =
      (rule === 'JRN-15' && count) ||
      (rule === 'JRN-02' && size) ||
      `the signature recovers to ${found.signer}`
    return check(rule, true, says)
  })
}

/** A journal given as bytes, against values that were asked for. */
function checkExpected(claim: SignedClaim): Check[] {
  const { journal, expected, subject, layout } = claim
  if (subject !== 'journal') return []
  const checks = Object.entries(expected ?? {}).flatMap(([field, wanted]): Check[] => {
    const rule = FIELD_RULES[field as keyof typeof FIELD_RULES]
    if (!rule) return []
    const actual = journal[field as keyof Journal]
    const same = String(actual) === String(wanted)
    const says = same ? `${field} is ${wanted}` : `${field} is ${actual}, not ${wanted}`
    return [check(rule, same, says)]
  })
  const { startingL2Block, endingL2Block, intermediateRoots } = journal
  const blocks = endingL2Block - startingL2Block
  return [
    ...(layout?.rules.map((rule) =>
      layout.open ? readOtherwise(rule, layout.open, layout.says) : check(rule, false, layout.says),
    ) ?? []),
    ...checks,
    check(
      intermediateRoots.length ? 'JRN-14' : 'JRN-13',
      blocks > 0n,
      `from ${startingL2Block} to ${endingL2Block}`,
    ),
  ]
}

/** JRN-15 of a journal whose roots are there to be counted, by both of its readings (OPEN-50). */
function checkCount(claim: SignedClaim): Check[] {
  const { subject, journal, interval, assumed } = claim
  if (!interval || !COUNTED.has(subject) || assumed.includes('startingL2Block')) return []
  const { startingL2Block: start, endingL2Block: end, intermediateRoots: roots } = journal
  const { chosen } = countsOfRoots({ start, end, interval })
  const count = BigInt(roots.length)
  const says = countSays({ start, end, interval })
  if (count === chosen) return [check('JRN-15', true, says.chosen)]
  const allowed = openCount({ start, end, interval }, count)
  return [
    allowed
      ? readOtherwise(
          'JRN-15',
          allowed.open,
          `${allowed.says}; the reading chosen here has ${chosen}`,
        )
      : check('JRN-15', false, `N is ${count}; ${says.chosen}; ${says.literal}`),
  ]
}

function countSays(range: { start: bigint; end: bigint; interval: bigint }) {
  const { start, end, interval } = range
  const { chosen, literal } = countsOfRoots(range)
  const same =
    chosen === literal ? ', as last block / interval is' : ', the chosen reading (OPEN-50)'
  return {
    chosen: `${end - start} blocks / interval ${interval} is N = ${chosen}${same}`,
    literal: `last block ${end} / interval ${interval} is N = ${literal}`,
  }
}

/** What there is to hold the number of an L1 head against. */
export interface HeadKnowledge {
  /** By L1; undefined: nobody asked it. */
  heads: L1HeadNumbers | undefined
  /** By all claims together: how many give a head each number. */
  numbersByHead: ReadonlyMap<Hash, ReadonlyMap<bigint, number>>
}

/** The number of the L1 head is not signed: L1 knows which belongs to the hash, and two never do. */
function checkHead(
  { l1HeadNumber, journal, subject }: SignedClaim,
  { heads, numbersByHead }: HeadKnowledge,
): Check[] {
  const numbers = numbersByHead.get(journal.l1OriginHash)
  if (!heads && l1HeadNumber !== undefined && numbers && numbers.size > 1)
    return checkNumbers(l1HeadNumber, numbers)
  if (!heads || subject === 'digest' || !heads.has(journal.l1OriginHash)) return []
  const actual = heads.get(journal.l1OriginHash)
  if (actual === undefined)
    return [check('PRV-PROP-03', false, `L1 knows no block ${journal.l1OriginHash}`)]
  if (l1HeadNumber === undefined) return []
  const same = actual === l1HeadNumber
  const says = `the L1 head is block ${actual}${same ? '' : `, not ${l1HeadNumber}`}`
  return [check('PRV-PROP-04', same, says)]
}

/** One L1 head with several numbers: that of the most is taken for right, where there is one. */
function checkNumbers(number: bigint, numbers: ReadonlyMap<bigint, number>): Check[] {
  const [[first, most], [, second]] = [...numbers].toSorted(
    ([, one], [, other]) => other - one,
  ) as [[bigint, number], [bigint, number]]
  const all = [...numbers.keys()].join(' and ')
  if (most === second) return [check('PRV-PROP-04', false, `one L1 head has the numbers ${all}`)]
  if (number === first) return []
  const says = `l1_origin_number as ${number}: ${most} claims with the same L1 head have ${first}`
  return [check('PRV-PROP-04', false, says)]
}

function checkSignature(
  { signature, subject, journal, schedule }: SignedClaim,
  { found }: Finding,
): Check[] {
  if (signature === undefined) return []
  const bytes = hexToBytes(signature)
  const sized = check('SIG-01', bytes.length === 65, `${bytes.length} bytes`)
  const split = (found?.reading ?? specifiedReading(journal, schedule)).split(bytes)
  if (!split) return [sized]
  const s = BigInt(`0x${Buffer.from(split.compact.subarray(32)).toString('hex')}`)
  const low = s > 0n && s <= HALF_ORDER
  const onChain = ON_CHAIN.has(subject)
  const rule = onChain ? 'SIG-06' : 'SIG-04'
  const departs = found?.departures.some(({ rules }) => rules.includes(rule))
  const wellFormed = recoveryId(split.v) !== undefined && onChain === split.v >= 27
  return [
    sized,
    onChain || low
      ? check('SIG-02', low, low ? 's is in the lower half' : 's is not in the lower half (EIP-2)')
      : readOtherwise('SIG-02', 'OPEN-55', HIGH_S),
    ...(departs ? [] : [check(rule, wellFormed, `v is ${split.v}`)]),
  ]
}

function checkChain({ chain, journal }: SignedClaim, { found }: Finding): Check[] {
  if (!chain) return []
  const imageHash = found && chain.registered.get(found.signer)
  const checks: Check[] = []
  if (found)
    checks.push(
      check(
        'SIG-10',
        imageHash !== undefined,
        `${found.signer} is ${imageHash === undefined ? 'not ' : ''}registered`,
      ),
    )
  if (imageHash !== undefined)
    checks.push(
      check(
        'SIG-09',
        imageHash === journal.teeImageHash,
        `the signer is registered with image hash ${imageHash}, the game has ${journal.teeImageHash}`,
      ),
    )
  if (chain.sender)
    checks.push(check('SIG-11', chain.sender === journal.proposer, `the sender is ${chain.sender}`))
  return checks
}

const HIGH_S =
  's is in the upper half: any valid signature will do, though L1 takes the lower half (EIP-2)'

/** The rule holds, by another reading of a point that the specification leaves open. */
function readOtherwise(rule: string, open: string, says: string): Check {
  return { rule, verdict: 'pass', says, open }
}

function check(rule: string, holds: boolean, says: string): Check {
  return { rule, verdict: holds ? 'pass' : 'fail', says }
}

/** fail before unknown before pass. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('fail')) return 'fail'
  return verdicts.includes('unknown') ? 'unknown' : 'pass'
}
