import { escapeMarkup as safe } from '#reports/escape-markup'
import { PAGE_STYLE } from '#reports/html/page-style'
import { toPage } from '#reports/html/to-page'
import type { SwarmResult } from './play-swarm.ts'

/** How dark a cell can be; by classes, for the page's policy lets no style stand at an element. */
const SHADES = 6

const STYLE = `${PAGE_STYLE}
body.met{display:block;overflow:auto;height:auto;padding:1rem}
.met .map{overflow:auto;max-height:92vh;width:fit-content;max-width:100%}
.met table{border-collapse:separate;border-spacing:0;width:auto}
.met th{position:sticky;background:var(--bg);z-index:1}
.met thead th{top:0;font-weight:400;vertical-align:bottom;padding:.3rem 0}
.met thead th:first-child{left:0;z-index:2}
.met thead span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:17rem;font-size:.75rem;line-height:1.1}
.met th[scope=row]{left:0;text-align:left;font-weight:400;font-size:.8rem;padding:0 .5rem 0 0}
@media (max-width:600px){.met th[scope=row]{white-space:normal;max-width:8rem;overflow-wrap:anywhere}}
.met td{min-width:2.2rem;height:1.4rem;padding:0;text-align:center;vertical-align:middle;border:1px solid #8883;font-size:.75rem}
.met td.never{background:repeating-linear-gradient(45deg,#8882 0 3px,transparent 3px 7px)}
${Array.from({ length: SHADES }, (_, shade) => `.met td.s${shade + 1}{background:rgb(37 99 235 / ${0.12 + 0.1 * shade})}`).join('\n')}`

/**
 * The picture of what a swarm met: each fault by each state, in how many runs the state came after the fault. One
 * static page without script.
 */
export function toCoverageHtml({ played, branches, reached }: SwarmResult): string {
  const states = Object.keys(reached.sometimes)
  const [faults, never] = [true, false].map((isMet) =>
    Object.keys(reached.faults)
      .filter((fault) => reached.faults[fault]! > 0 === isMet)
      .sort(),
  ) as [string[], string[]]
  const count = (fault: string, state: string) => reached.after[fault]?.[state] ?? 0
  const most = Math.max(1, ...faults.flatMap((fault) => states.map((state) => count(fault, state))))
  const met = faults.flatMap((fault) => states.filter((state) => count(fault, state) > 0)).length
  const cell = (fault: string, state: string) => {
    const runs = count(fault, state)
    if (runs === 0) return '<td class="never"></td>'
    // So that one run is seen beside hundreds.
    const share = Math.log(1 + runs) / Math.log(1 + most)
    return `<td class="s${Math.max(1, Math.ceil(SHADES * share))}">${runs}</td>`
  }
  const head = (name: string, runs: number) =>
    `<th scope="col"><span>${safe(name)} (${runs === 0 ? 'never' : runs})</span></th>`
  const row = (fault: string) =>
    `<tr><th scope="row"><code>${safe(fault)}</code> (${reached.faults[fault]})</th>${states
      .map((state) => cell(fault, state))
      .join('')}</tr>`
  const body = `<main>
<h1>Faults and states</h1>
<p>${played} runs, ${branches} of them branches. A cell is in how many runs a state was reached after a fault: ${met} of ${(faults.length + never.length) * states.length} pairs were met. A hatched one never was.</p>
<p>${never.length === 0 ? 'Every fault came about.' : `Never brought about: ${never.map((fault) => `<code>${safe(fault)}</code>`).join(', ')}.`}</p>
<div class="map" tabindex="0"><table><thead><tr><th></th>${states.map((state) => head(state, reached.sometimes[state] ?? 0)).join('')}</tr></thead>
<tbody>${faults.map(row).join('\n')}</tbody></table></div>
</main>`
  return toPage({ title: 'Faults and states · rollbed', style: STYLE, bodyClass: 'met', body })
}
