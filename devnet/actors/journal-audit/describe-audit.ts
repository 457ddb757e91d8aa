import { findOpenPoint, findRule } from '#fixtures/rules/catalogue'
import type { Audit, AuditedClaim, FieldBytes, OpenReading, Verdict } from './audit.ts'

/** Marks that do not rely on colour. */
export const MARKS: Record<Verdict, string> = { pass: '✓', fail: '✗', unknown: '?' }

/** An audit for a terminal: a line for each claim, and the bytes of those that did not pass. */
export function describeAudit({ input, claims, notes }: Audit): string {
  const alone = claims.length === 1
  return [
    input,
    ...claims.flatMap((claim) => [
      `${MARKS[claim.verdict]} ${claim.summary}`,
      ...(alone || claim.verdict !== 'pass' ? detail(claim) : []),
    ]),
    ...notes,
    ...readOtherwise(claims),
    ...explained(claims),
  ].join('\n')
}

/** Where ids of rules are written out. */
const PAGE = 'devnet/docs/rules.md'

/** What the rules ask for that did not hold; the others are a page away. */
function explained(claims: readonly AuditedClaim[]): string[] {
  const rules = rulesOf(claims, ({ verdict }) => verdict === 'fail')
  const lines = rules.map(({ id, says }) => `  ${id}  ${says}  ${PAGE}#${id.toLowerCase()}`)
  return lines.length ? ['', 'Rules that do not hold:', ...lines] : [`Rules: ${PAGE}`]
}

/** Where the bytes follow another reading of an open point: right by the letter, and named. */
function readOtherwise(claims: readonly AuditedClaim[]): string[] {
  const lines = readingsOf(claims).map(
    ({ open, topic, says }) => `  ${open}  ${topic}: ${says}  ${PAGE}#${open.toLowerCase()}`,
  )
  return lines.length
    ? ['', 'Open points, read otherwise than here; no rule is broken by that:', ...lines]
    : []
}

/** The open points that claims read otherwise, each reading once, with what the point is about. */
export function readingsOf(claims: readonly AuditedClaim[]): (OpenReading & { topic: string })[] {
  const readings = claims.flatMap((claim) => claim.readings)
  const distinct = new Map(readings.map((each) => [`${each.open} ${each.says}`, each]))
  return [...distinct.values()].map((each) => ({ ...each, topic: findOpenPoint(each.open).topic }))
}

/** The rules of some checks, each once, in the words of the catalogue. */
export function rulesOf(
  claims: readonly AuditedClaim[],
  counts: (check: AuditedClaim['checks'][number]) => boolean = () => true,
): { id: string; says: string }[] {
  const checks = claims.flatMap((claim) => claim.checks).filter(counts)
  const ids = [...new Set(checks.map(({ rule }) => rule))].sort()
  return ids.map((id) => ({ id, says: findRule(id).says }))
}

function detail({ layout, digest, fields, checks }: AuditedClaim): string[] {
  const passed = checks
    .filter(({ verdict, open }) => verdict === 'pass' && !open)
    .map(({ rule }) => rule)
  return [
    `    layout  ${layout}`,
    `    digest  ${digest}`,
    ...byteTable(fields).map((line) => `    ${line}`),
    ...groupChecks(checks)
      .filter(({ verdict, open }) => verdict !== 'pass' || open)
      .map(
        ({ verdict, rules, says, open }) =>
          `    ${MARKS[verdict]} ${rules.join(' ')}: ${says}${open ? ` (${open})` : ''}`,
      ),
    ...(passed.length ? [`    ${MARKS.pass} ${passed.join(' ')}`] : []),
  ]
}

/** Offset, size, name and value of each field, one on a line. */
export function byteTable(fields: readonly FieldBytes[]): string[] {
  const width = Math.max(0, ...fields.map(({ field }) => field.length))
  return fields.map(
    ({ offset, size, field, value, assumed }) =>
      `${String(offset).padStart(5)} +${String(size).padEnd(3)} ${field.padEnd(width)}  ${value}${assumed ? ' (assumed)' : ''}`,
  )
}

interface CheckGroup {
  verdict: Verdict
  says: string
  rules: string[]
  open?: string
}

/** Checks with the same outcome for the same reason, together. */
export function groupChecks(checks: AuditedClaim['checks']): CheckGroup[] {
  const groups = new Map<string, CheckGroup>()
  for (const { rule, verdict, says, open } of checks) {
    const key = `${verdict} ${says}`
    const group = groups.get(key) ?? { verdict, says, rules: [], ...(open && { open }) }
    group.rules.push(rule)
    groups.set(key, group)
  }
  return [...groups.values()]
}
