import { describeTarget } from '#reports/describe-target'
import { escapeMarkup as safe } from '#reports/escape-markup'
import { describeOutcome } from '#reports/head-of-run'
import { judgedRules } from '#reports/judged-rules'
import { countVerdicts, isFailing, type RuleStatus, type RunResult, VERDICTS } from '#reports/model'
import { renderMark } from './render-case.ts'

/** Where the run went, how each area fared, and what failed. */
export function renderOverview(result: RunResult): string {
  const counts = countVerdicts(result.cases)
  const used = VERDICTS.filter((verdict) => counts[verdict] > 0)
  const areas = [...new Set(result.cases.map((each) => each.area))]
  const rows = areas.map((area) => {
    const inArea = result.cases.filter((each) => each.area === area)
    const ofArea = countVerdicts(inArea)
    const cells = used.map((verdict) => `<td class="n">${ofArea[verdict] || ''}</td>`).join('')
    return `<tr><th scope="row">${safe(area)}</th>${cells}<td class="n">${inArea.length}</td></tr>`
  })
  const failing = result.cases.filter((each) => isFailing(each.verdict))
  const heads = used.map(
    (verdict) => `<th scope="col" class="n">${renderMark(verdict)} ${verdict}</th>`,
  )
  return `<article data-route="/" data-title="Conformance">
<h2>${renderOutcome(result)}</h2>
${renderTarget(result)}
${renderFailing(failing)}
${renderStale(result)}
${renderNotJudged(result)}
<h3>Areas</h3>
<table><thead><tr><th scope="col">Area</th>${heads.join('')}<th scope="col" class="n">all</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<h3>Target</h3>
<table><tbody>${renderTargets(result)}</tbody></table>
<p class="legend">Press <kbd>?</kbd> for keys.</p>
</article>`
}

function renderOutcome(result: RunResult): string {
  const text = describeOutcome(result)
  const sentence = `${text[0]!.toUpperCase()}${text.slice(1)}`
  return safe(sentence).replace(/`(\w+)`/g, '<code>$1</code>')
}

function renderTarget(result: RunResult): string {
  const target = describeTarget(result)
  return target && `<p class="target">${safe(target)}</p>`
}

function renderNotJudged(result: RunResult): string {
  const { notJudged } = judgedRules(result)
  if (notJudged.length === 0) return ''
  const rows = notJudged.map(
    ({ reason, flags, rules }) =>
      `<tr><td class="n">${rules.length}</td><td>${safe(reason)}</td><td>${flags.map((flag) => `<code>${safe(flag)}</code>`).join(' ')}</td><td>${safe(rules.join(' '))}</td></tr>`,
  )
  return `<h3>Rules not judged</h3>
<table><thead><tr><th scope="col" class="n">Rules</th><th scope="col">Why</th><th scope="col">Would change it</th><th scope="col">Which</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function renderFailing(failing: RunResult['cases']): string {
  if (failing.length === 0) return ''
  const items = failing.map(
    (each) =>
      `<li><a href="#/case/${safe(each.id)}" data-link="case:${safe(each.id)}">${safe(each.id)}</a> ${safe(each.title)} (${each.rules.map(safe).join(', ')})</li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

function renderStale({ staleExpectations }: RunResult): string {
  if (staleExpectations.length === 0) return ''
  const items = staleExpectations.map(
    ({ pattern, problem, reason }) =>
      `<li><code>${safe(pattern)}</code> ${safe(problem)}: ${safe(reason)}</li>`,
  )
  return `<h3>Stale expectations</h3><ul>${items.join('')}</ul>`
}

function renderTargets(result: RunResult): string {
  const rows = [...Object.entries(result.targets), ['driver', result.driver ?? 'none']]
  return rows
    .map(
      ([name = '', value = '']) =>
        `<tr><th scope="row">${safe(name)}</th><td><code>${safe(value)}</code></td></tr>`,
    )
    .join('')
}

/** Every rule of the catalogue: checked by which cases, or why by none. */
export function renderRules({ rules }: RunResult): string {
  const count = (status: RuleStatus['status']) =>
    rules.filter((rule) => rule.status === status).length
  const rows = rules.map((rule) => {
    const shown = safe(rule.verdict ?? rule.status)
    return `<tr><th scope="row"><code>${safe(rule.id)}</code></th><td>${safe(rule.says)}</td>
<td><span class="v-${shown}">${shown}</span></td><td>${renderCoverage(rule)}</td></tr>`
  })
  return `<article data-route="/rules" data-title="Rules" hidden>
<h2>Rules</h2>
<p>${count('covered')} of ${rules.length} have a case, ${count('waived')} are waived for a reason, ${count('uncovered')} have neither.</p>
<table><thead><tr><th scope="col">Rule</th><th scope="col">Says</th><th scope="col">Verdict</th><th scope="col">Cases</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></article>`
}

function renderCoverage({ cases, reason }: RuleStatus): string {
  if (cases.length === 0) return safe(reason ?? '')
  return cases
    .map((id) => `<a href="#/case/${safe(id)}" data-link="case:${safe(id)}">${safe(id)}</a>`)
    .join('<br>')
}

/** What the specs leave open. */
export function renderGaps({ gaps }: RunResult): string {
  const rows = gaps.map(
    ({ id, topic, why, affects }) =>
      `<tr><th scope="row"><code>${safe(id)}</code></th><td>${safe(topic)}</td><td>${safe(why)}</td><td>${affects.map(safe).join(' ')}</td></tr>`,
  )
  return `<article data-route="/gaps" data-title="Open points" hidden>
<h2>Open points of the specs</h2>
<p>The specs say nothing, or more than one thing, here. They are told, never judged.</p>
<table><thead><tr><th scope="col">Point</th><th scope="col">Topic</th><th scope="col">Why</th><th scope="col">Touches</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></article>`
}
