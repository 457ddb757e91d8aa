import { findRule } from '#fixtures/rules/catalogue'
import type { Audit, AuditedClaim, FieldBytes, Verdict } from './audit.ts'

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
  const passed = checks.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule)
  return [
    `    layout  ${layout}`,
    `    digest  ${digest}`,
    ...byteTable(fields).map((line) => `    ${line}`),
    ...groupChecks(checks)
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ verdict, rules, says }) => `    ${MARKS[verdict]} ${rules.join(' ')}: ${says}`),
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

/** Checks with the same outcome for the same reason, together. */
export function groupChecks(
  checks: AuditedClaim['checks'],
): { verdict: Verdict; says: string; rules: string[] }[] {
  const groups = new Map<string, { verdict: Verdict; says: string; rules: string[] }>()
  for (const { rule, verdict, says } of checks) {
    const key = `${verdict} ${says}`
    const group = groups.get(key) ?? { verdict, says, rules: [] }
    group.rules.push(rule)
    groups.set(key, group)
  }
  return [...groups.values()]
}
