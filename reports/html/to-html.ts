import { escapeMarkup as safe } from '#reports/escape-markup'
import { countVerdicts, type RunResult, VERDICTS, type Verdict } from '#reports/model'
import { PAGE_STYLE } from './page-style.ts'
import { renderCase, renderMark } from './render-case.ts'
import { renderGaps, renderOverview, renderRules } from './render-tables.ts'
import { renderTimelines } from './render-timelines.ts'
import { startPage } from './start-page.ts'
import { toPage } from './to-page.ts'
import { zoomTimelines } from './zoom-timelines.ts'

/** A run as one HTML file (`toPage`), to be searched and filtered. */
export function toHtml(result: RunResult): string {
  const script = `(${startPage})();(${zoomTimelines})()`
  const body = `${renderHeader(result)}
${renderList(result)}
<main id="detail" tabindex="-1">
${renderOverview(result)}
${renderRules(result)}
${renderGaps(result)}
${renderTimelines(result)}
${result.cases.map(renderCase).join('\n')}
</main>
${HELP}`
  return toPage({ title: 'Conformance · rollbed', style: PAGE_STYLE, script, body })
}

function renderHeader(result: RunResult): string {
  const counts = countVerdicts(result.cases)
  const used = VERDICTS.filter((verdict) => counts[verdict] > 0)
  const chips = used.map(
    (verdict) =>
      `<button type="button" class="chip" data-verdict="${verdict}" aria-pressed="false">${renderMark(verdict)} ${verdict} <b>${counts[verdict]}</b></button>`,
  )
  return `<header>
<a class="skip" href="#detail">Skip to the case</a>
<div class="top"><h1>rollbed conformance</h1>
<span class="meta">profile ${safe(result.profile)} · ${safe(result.startedAt)} · ${(result.duration / 1000).toFixed(1)} s</span>
<nav aria-label="Views"><a href="#/" data-link="/">Overview</a><a href="#/rules" data-link="/rules">Rules</a><a href="#/gaps" data-link="/gaps">Open points</a>${result.timelines?.length ? '<a href="#/timeline" data-link="/timeline">Timeline</a>' : ''}</nav></div>
${renderBar(counts, result.cases.length)}
<div class="chips" role="group" aria-label="Filter by verdict">${chips.join('')}</div>
</header>`
}

/** Shares as SVG, since the content security policy allows no inline style. */
function renderBar(counts: Record<Verdict, number>, total: number): string {
  let x = 0
  const parts = [...VERDICTS].reverse().map((verdict) => {
    const width = total ? (counts[verdict] / total) * 1000 : 0
    const part = `<rect class="v-${verdict}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="8"/>`
    x += width
    return width ? part : ''
  })
  return `<svg class="bar" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`
}

function renderList(result: RunResult): string {
  const areas = [...new Set(result.cases.map((each) => each.area))]
  const options = areas.map((area) => `<option>${safe(area)}</option>`).join('')
  const groups = areas.map((area) => {
    const items = result.cases
      .filter((each) => each.area === area)
      .map((each) => {
        const text = `${each.id} ${each.title} ${each.rules.join(' ')} ${each.area}`.toLowerCase()
        return `<li data-text="${safe(text)}" data-verdict="${each.verdict}" data-area="${safe(area)}"><a href="#/case/${safe(each.id)}" data-link="case:${safe(each.id)}">${renderMark(each.verdict)}<span>${safe(each.title)}</span><small>${safe(each.id)} · ${each.verdict}</small></a></li>`
      })
    return `<section><h2>${safe(area)}</h2><ul>${items.join('')}</ul></section>`
  })
  return `<aside id="list" aria-label="Cases">
<div class="tools" role="search"><input id="search" type="search" placeholder="Search id, title or rule" aria-label="Search cases">
<select id="area" aria-label="Area"><option value="">all areas</option>${options}</select></div>
<p id="shown" role="status"></p>
${groups.join('\n')}
</aside>`
}

const HELP = `<dialog id="help" aria-labelledby="help-title"><h2 id="help-title">Keys</h2>
<dl class="keys"><dt><kbd>/</kbd></dt><dd>search</dd><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous case</dd>
<dt><kbd>+</kbd> <kbd>-</kbd> <kbd>←</kbd> <kbd>→</kbd> <kbd>0</kbd></dt><dd>in a timeline: closer, wider, earlier, later, whole</dd>
<dt><kbd>c</kbd></dt><dd>copy the command</dd><dt><kbd>Esc</kbd></dt><dd>clear the search, close this</dd></dl>
<form method="dialog"><button class="copy">Close</button></form></dialog>`
