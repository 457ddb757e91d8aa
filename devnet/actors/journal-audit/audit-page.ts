import { createHash } from 'node:crypto'
import type { Audit, AuditedClaim, FieldBytes } from './audit.ts'
import { AUDIT_STYLE } from './audit-style.ts'
import { groupChecks, MARKS, readingsOf, rulesOf } from './describe-audit.ts'

const ROW = 32

/**
 * An audit as one HTML file with a byte map. It loads nothing and runs no script; its own content
 * security policy allows its style sheet alone.
 */
export function auditPage(audit: Audit): string {
  const hash = createHash('sha256').update(AUDIT_STYLE).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<title>Journal audit · rollbed</title>
<style>${AUDIT_STYLE}</style>
</head>
<body>
<main>
<h1>Journal audit</h1>
<p class="meta">${safe(audit.input)} · <span class="v-${audit.verdict}">${MARKS[audit.verdict]} ${audit.verdict}</span></p>
<ul class="contents" aria-label="Claims">${audit.claims.map(renderLink).join('')}</ul>
${audit.notes.map((note) => `<p class="note">${safe(note)}</p>`).join('\n')}
${renderReadings(audit)}
${audit.claims.map(renderClaim).join('\n')}
${renderRules(audit)}
</main>
</body>
</html>
`
}

function renderLink({ verdict, summary }: AuditedClaim, index: number): string {
  return `<li><a href="#claim-${index}"><span class="v-${verdict}" aria-hidden="true">${MARKS[verdict]}</span> ${safe(summary)}</a></li>`
}

function renderClaim(claim: AuditedClaim, index: number): string {
  const { name, verdict, layout, digest, signature, signer } = claim
  const facts = [
    ['Layout', layout],
    ['Bytes', `${(claim.bytes.length - 2) / 2}`],
    ['Digest', digest],
    ['Signature', signature ?? 'none'],
    ['Signer', signer ?? 'nobody'],
  ]
  return `<section id="claim-${index}" aria-labelledby="title-${index}">
<h2 id="title-${index}">${safe(name)} <span class="v-${verdict}">${MARKS[verdict]} ${verdict}</span></h2>
<p>${safe(claim.summary)}</p>
<dl>${facts.map(([term, text]) => `<dt>${term}</dt><dd><code>${safe(text!)}</code></dd>`).join('')}</dl>
${claim.fields.length ? renderBytes(claim.fields, name) : ''}
<h3>Rules</h3>
<table><thead><tr><th scope="col">Verdict</th><th scope="col">Rules</th><th scope="col">Found</th></tr></thead>
<tbody>${groupChecks(claim.checks)
    .map(
      (group) =>
        `<tr><td class="v-${group.verdict}">${MARKS[group.verdict]} ${group.verdict}</td><td>${group.rules.map(ruleLink).join(' ')}</td><td>${safe(group.says)}${group.open ? ` ${ruleLink(group.open)}` : ''}</td></tr>`,
    )
    .join('')}</tbody></table>
</section>`
}

/** Where the bytes follow another reading of an open point than ours. */
function renderReadings({ claims }: Audit): string {
  const rows = readingsOf(claims).map(
    ({ open, topic, says }) =>
      `<dt id="${open.toLowerCase()}">${safe(open)}</dt><dd>${safe(topic)}: ${safe(says)}</dd>`,
  )
  if (rows.length === 0) return ''
  return `<section aria-labelledby="readings"><h2 id="readings">Open points, read otherwise than here</h2><p>No rule is broken by that.</p><dl>${rows.join('')}</dl></section>`
}

const ruleLink = (id: string) => `<a href="#${id.toLowerCase()}">${safe(id)}</a>`

/** What each id asks for, in the words of the catalogue; ids as on devnet/docs/rules.md. */
function renderRules({ claims }: Audit): string {
  const rows = rulesOf(claims).map(
    ({ id, says }) => `<dt id="${id.toLowerCase()}">${safe(id)}</dt><dd>${safe(says)}</dd>`,
  )
  return `<section aria-labelledby="rules"><h2 id="rules">What the rules ask for</h2><dl>${rows.join('')}</dl></section>`
}

function renderBytes(fields: readonly FieldBytes[], name: string): string {
  const rows = fields.map(
    ({ field, offset, size, value, assumed }, index) =>
      `<tr><th scope="row"><span class="swatch f${index % 6}">${index + 1}</span> ${safe(field)}</th><td class="n">${offset}</td><td class="n">${size}</td><td><code>${safe(value)}</code>${assumed ? ' (assumed)' : ''}</td></tr>`,
  )
  return `<h3>Byte map</h3>
<pre tabindex="0" aria-label="Bytes of ${safe(name)}">${renderRows(fields)}</pre>
<table><thead><tr><th scope="col">Field</th><th scope="col">Offset</th><th scope="col">Size</th><th scope="col">Value</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`
}

/** Rows of 32 bytes, each byte in the colour of its field, which is also named on hover. */
function renderRows(fields: readonly FieldBytes[]): string {
  const pieces = fields.flatMap(({ field, offset, bytes }, index) => {
    const parts: { at: number; html: string }[] = []
    const end = offset + (bytes.length - 2) / 2
    for (let at = offset; at < end; ) {
      const stop = Math.min(end, at + ROW - (at % ROW))
      const hex = bytes.slice(2 + 2 * (at - offset), 2 + 2 * (stop - offset))
      const title = `${index + 1} ${field}`
      parts.push({ at, html: `<span class="f${index % 6}" title="${safe(title)}">${hex}</span>` })
      at = stop
    }
    return parts
  })
  return pieces
    .map(({ at, html }) => (at % ROW === 0 ? `${at ? '\n' : ''}${rowLabel(at)}${html}` : html))
    .join('')
}

const rowLabel = (at: number) => `<span class="at">${String(at).padStart(5)}</span>  `

function safe(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character]!)
}
