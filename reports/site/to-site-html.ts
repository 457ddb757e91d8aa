import { escapeMarkup as safe } from '#reports/escape-markup'
import { PAGE_STYLE } from '#reports/html/page-style'
import { renderMark } from '#reports/html/render-case'
import { toPage } from '#reports/html/to-page'
import type { Site, SiteRule, SiteTarget } from './site-of.ts'

/** The last run of a target as a page of its own, below the folder of the target. */
export const LAST_RUN = 'last.html'

const SITE_STYLE = `${PAGE_STYLE}
body.site{display:block;overflow:auto;height:auto;max-width:80rem;margin:0 auto;padding:1rem}
.site table{margin:.5rem 0 1.5rem}.site .history{letter-spacing:.15em}.site svg.trend{width:16rem;height:3rem}
.site svg.trend polyline{fill:none;stroke:currentColor;stroke-width:2;vector-effect:non-scaling-stroke}
.site .wide{overflow-x:auto}.site td,.site th{overflow-wrap:anywhere;min-width:3rem}
@media (max-width:40rem){body.site{padding:.5rem}.site svg.trend{width:8rem}.site td,.site th{padding:.2rem .35rem;font-size:.85rem}}`

/** Where a build's name leads: the URL before it. */
interface Links {
  commits?: string
}

/** One static page without script: it opens from a file, and needs nothing else. */
export function toSiteHtml(site: Site, links: Links = {}): string {
  const judged = site.rules.filter(({ verdicts }) => Object.keys(verdicts).length > 0)
  const title = `Conformance of ${site.targets.length} targets · rollbed`
  const body = `<main>
<h1>Conformance</h1>
<nav aria-label="Parts"><a href="#targets">Targets</a> · <a href="#failing">What fails</a> · <a href="#known">What is known</a> · <a href="#rules">Rules</a></nav>
<h2 id="targets">Targets</h2>
${renderTargets(site.targets, links)}
<p class="legend">Known: it fails, and an expectations file excuses it. Not strict: a should that is not met. Set aside: the target could not be brought there, such as without a method.</p>
<h2 id="failing">What fails, and since when</h2>
${site.targets.map(renderFailing).join('\n')}
<h2 id="known">What is known to fail, and why</h2>
${site.targets.map(renderKnown).join('\n')}
<h2 id="rules">Rules and targets</h2>
<p>${judged.length} of ${site.rules.length} rules were judged somewhere. Open a rule for the history of its cases, oldest run first.</p>
<div class="wide"><table><thead><tr><th scope="col">Rule</th>${site.targets.map(({ name }) => `<th scope="col">${safe(name)}</th>`).join('')}</tr></thead>
<tbody>${judged.map((rule) => renderRule(rule, site.targets)).join('\n')}</tbody></table></div>
</main>`
  return toPage({ title, style: SITE_STYLE, bodyClass: 'site', body })
}

function renderTargets(targets: readonly SiteTarget[], links: Links): string {
  const rows = targets.map(({ name, runs, refuses }) => {
    const last = runs.at(-1)!
    return `<tr><th scope="row">${safe(name)}</th><td class="n">${runs.length}</td><td>${renderRun(last, name)}</td><td>${renderBuild(last, links)}</td><td class="n">${last.passed}</td><td class="n">${last.failed}</td><td class="n">${last.known}</td><td class="n">${last.nonStrict}</td><td class="n">${last.setAside}</td><td class="n">${last.judgedRules} of ${last.totalRules}</td><td>${renderTrend(name, runs)}</td><td>${refuses.map((method) => `<code>${safe(method)}</code>`).join(' ') || 'none'}</td></tr>`
  })
  return `<div class="wide"><table><thead><tr><th scope="col">Target</th><th scope="col" class="n">Runs</th><th scope="col">Last run</th><th scope="col">What it was</th><th scope="col" class="n">Passed</th><th scope="col" class="n">Failed</th><th scope="col" class="n">Known</th><th scope="col" class="n">Not strict</th><th scope="col" class="n">Set aside</th><th scope="col" class="n">Rules judged</th><th scope="col">Passed over time</th><th scope="col">Methods it refuses</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

/** The run with its exchanges, and as it was recorded. */
function renderRun({ startedAt, file }: SiteTarget['runs'][number], target: string): string {
  if (!file) return safe(startedAt)
  const page = `runs/${encodeURIComponent(target)}/${LAST_RUN}`
  return `<a href="${page}">${safe(startedAt)}</a> (<a href="${safe(encodeURI(file))}">JSON</a>)`
}

function renderBuild(
  { build, client, claims }: SiteTarget['runs'][number],
  { commits }: Links,
): string {
  const named =
    build && commits
      ? `<a href="${safe(commits)}${encodeURIComponent(build)}">${safe(build)}</a>`
      : safe(build ?? '')
  const claimed = claims?.length ? `claims ${claims.join(', ')}` : ''
  return [named, safe(client ?? ''), safe(claimed)].filter(Boolean).join('<br>')
}

function renderTrend(name: string, runs: SiteTarget['runs']): string {
  const most = Math.max(1, ...runs.map(({ cases }) => cases))
  const step = 100 / Math.max(1, runs.length - 1)
  const points = runs.map(({ passed }, index) => {
    return `${(index * step).toFixed(1)},${(38 - (passed / most) * 36).toFixed(1)}`
  })
  const drawn = points.length === 1 ? [...points, points[0]!.replace(/^[^,]+/, '100')] : points
  const said = runs.map(({ passed, cases }) => `${passed} of ${cases}`).join(', ')
  return `<svg class="trend" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="Passed in the runs of ${safe(name)}: ${said}"><polyline points="${drawn.join(' ')}"/></svg>`
}

function renderFailing({ name, failing, runs }: SiteTarget): string {
  const last = runs.at(-1)!.startedAt
  const rows = failing.map(
    (each) =>
      `<tr><th scope="row">${renderCaseLink(each.case, name, runs)}</th><td>${safe(each.since)}${each.since === last && runs.length > 1 ? ' (new)' : ''}</td><td>${safe(each.reason)}</td></tr>`,
  )
  const table = `<table><thead><tr><th scope="col">Case</th><th scope="col">First bad run</th><th scope="col">Why</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return `<details${failing.length && failing.length < 20 ? ' open' : ''}><summary>${safe(name)}: ${failing.length}</summary>${failing.length ? table : '<p>Nothing.</p>'}</details>`
}

/** To the exchanges of a case in the last run. */
function renderCaseLink(id: string, target: string, runs: SiteTarget['runs']): string {
  const code = `<code>${safe(id)}</code>`
  if (!runs.at(-1)?.file) return code
  return `<a href="runs/${encodeURIComponent(target)}/${LAST_RUN}#/case/${safe(id)}">${code}</a>`
}

function renderKnown({ name, known }: SiteTarget): string {
  const rows = known.map(
    (each) =>
      `<tr><th scope="row"><code>${safe(each.case)}</code></th><td>${safe(each.reason)}</td></tr>`,
  )
  const table = `<table><thead><tr><th scope="col">Case</th><th scope="col">Why</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return `<details><summary>${safe(name)}: ${known.length}</summary>${known.length ? table : '<p>Nothing.</p>'}</details>`
}

function renderRule(rule: SiteRule, targets: readonly SiteTarget[]): string {
  const cells = targets.map(({ name }) => {
    const verdict = rule.verdicts[name]
    return verdict
      ? `<td>${renderMark(verdict)} ${verdict}</td>`
      : '<td><span aria-label="not judged">·</span></td>'
  })
  const cases = rule.cases.map(({ id, history }) => {
    const rows = targets.map(({ name }) => {
      const marks = (history[name] ?? []).map((verdict) => (verdict ? renderMark(verdict) : '·'))
      return `<li>${safe(name)} <span class="history">${marks.join('')}</span></li>`
    })
    return `<p><code>${safe(id)}</code></p><ul>${rows.join('')}</ul>`
  })
  return `<tr id="${safe(rule.id)}"><th scope="row"><details><summary><code>${safe(rule.id)}</code></summary><p>${safe(rule.says)}</p>${cases.join('')}</details></th>${cells.join('')}</tr>`
}
