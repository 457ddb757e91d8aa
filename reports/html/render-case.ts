import { diffValues } from '#reports/diff-values'
import { escapeMarkup as safe } from '#reports/escape-markup'
import {
  type CaseResult,
  type Exchange,
  type Failure,
  isFailing,
  isNonStrict,
  type Verdict,
} from '#reports/model'

/** Passing cases keep fewer exchanges on the page; the JSON report has all that were recorded. */
const SHOWN_WHEN_PASSED = 8

const MARKS: Record<Verdict, string> = {
  pass: '✓',
  fail: '✗',
  unknown: '?',
  'unexpected-pass': '!',
  'non-strict': '~',
  'expected-fail': '≈',
  gap: '·',
  'not-applicable': '–',
}

/** Verdict as a mark that does not rely on colour. */
export function renderMark(verdict: Verdict): string {
  return `<span class="mark v-${verdict}" aria-hidden="true">${MARKS[verdict]}</span>`
}

/** Everything about one case: what, why, how it went, what was said, how to see it again. */
export function renderCase(result: CaseResult): string {
  const rules = result.rules.map((rule) => `<li>${safe(rule)}</li>`).join('')
  return `<article data-route="case:${safe(result.id)}" data-title="${safe(result.id)}" hidden>
<p><span class="verdict v-${result.verdict}">${MARKS[result.verdict]} ${result.verdict}</span>
<span class="meta">${safe(result.area)} · ${result.level} · ${result.duration} ms</span></p>
<h2>${safe(result.title)}</h2>
<p><code>${safe(result.id)}</code></p>
<ul class="tags" aria-label="Rules">${rules}</ul>
<p>${safe(result.rationale)}</p>
${result.failure ? renderFailure(result.failure) : renderReason(result)}
${result.note ? `<p>${safe(result.note)}</p>\n` : ''}${renderExpectation(result)}
<h3>Run it again</h3>
<div class="repro"><pre tabindex="0" aria-label="Command"><code>${safe(result.repro)}</code></pre><button type="button" class="copy">Copy</button></div>
${renderExchanges(result)}
</article>`
}

function renderFailure({ at, expected, actual, hint }: Failure): string {
  const lines = diffValues(expected, actual).map(({ side, text }) => {
    const sign = { both: ' ', expected: '-', actual: '+' }[side]
    return `<span class="${side}">${sign} ${safe(text)}</span>`
  })
  return `<h3>Expected against actual</h3>
<p class="legend">At <code>${safe(at)}</code>: <code>-</code> expected, <code>+</code> actual.</p>
<pre class="diff" tabindex="0" aria-label="Difference">${lines.join('')}</pre>
${hint ? `<p>${safe(hint)}</p>` : ''}`
}

function renderReason({ reason }: CaseResult): string {
  return reason ? `<p>${safe(reason)}</p>` : ''
}

function renderExpectation({ expectation }: CaseResult): string {
  if (!expectation) return ''
  const link = expectation.link
    ? ` <a href="${safe(expectation.link)}">${safe(expectation.link)}</a>`
    : ''
  return `<p>Known until ${safe(expectation.expires)}: ${safe(expectation.reason)}${link}</p>`
}

function renderExchanges(result: CaseResult): string {
  if (result.exchanges.length === 0) return ''
  const open = isFailing(result.verdict) || isNonStrict(result)
  const shown = open ? result.exchanges : result.exchanges.slice(-SHOWN_WHEN_PASSED)
  const left = result.exchanges.length - shown.length + result.exchangesDropped
  return `<h3>Requests and responses</h3>
${left > 0 ? `<p class="legend">${left} earlier ones are left out.</p>` : ''}
${shown.map((exchange, index) => renderExchange(exchange, open && index === shown.length - 1)).join('\n')}`
}

function renderExchange(exchange: Exchange, open: boolean): string {
  const { transport, at, duration, request, response, status } = exchange
  const outcome = response === null ? 'no reply' : `${status ?? transport}`
  return `<details${open ? ' open' : ''}><summary><code>${safe(nameOf(request))}</code>
<span class="meta">${at < 0 ? `${-at} ms before` : `+${at} ms`} · ${duration} ms · ${outcome}</span></summary>
<pre tabindex="0" aria-label="Request">${safe(indent(request))}</pre>
<pre tabindex="0" aria-label="Response">${safe(response === null ? '(no reply)' : indent(response))}</pre></details>`
}

/** The method and its params for JSON-RPC, the first line otherwise. */
function nameOf(request: string): string {
  const call = parse(request) as { method?: unknown; params?: unknown } | undefined
  if (typeof call?.method !== 'string') return request.split('\n')[0]?.slice(0, 90) ?? ''
  const params = JSON.stringify(call.params ?? [])
  return `${call.method} ${params.length > 80 ? `${params.slice(0, 80)}…` : params}`
}

function indent(text: string): string {
  const value = parse(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
