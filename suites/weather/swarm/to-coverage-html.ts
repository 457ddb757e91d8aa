import { escapeMarkup as safe } from '#reports/escape-markup'
import { PAGE_STYLE } from '#reports/html/page-style'
import { toPage } from '#reports/html/to-page'
import type { SwarmResult } from './play-swarm.ts'

const STYLE = `${PAGE_STYLE}
body.met{display:block;overflow:auto;height:auto;padding:1rem}
.met th[scope=col]{writing-mode:vertical-rl;vertical-align:bottom;font-weight:400;padding:.4rem .1rem}
.met th[scope=row]{text-align:left;font-weight:400;white-space:nowrap}
.met table{border-collapse:collapse}
.met td{width:2.2rem;height:1.3rem;padding:0;text-align:center;border:1px solid #8884;font-size:.75rem}
.met td.never{background:repeating-linear-gradient(45deg,#8882 0 3px,transparent 3px 7px)}`

/**
 * The picture of what a swarm met: each fault by each state, in how many runs the state came after the fault. One
 * static page without script.
 */
export function toCoverageHtml({ played, branches, reached }: SwarmResult): string {
  const states = Object.keys(reached.sometimes)
  const faults = Object.keys(reached.faults).sort()
  const count = (fault: string, state: string) => reached.after[fault]?.[state] ?? 0
  const most = Math.max(1, ...faults.flatMap((fault) => states.map((state) => count(fault, state))))
  const met = faults.flatMap((fault) => states.filter((state) => count(fault, state) > 0)).length
  const cell = (fault: string, state: string) => {
    const runs = count(fault, state)
    if (runs === 0) return '<td class="never"></td>'
    // So that one run is seen beside hundreds.
    const share = Math.log(1 + runs) / Math.log(1 + most)
    return `<td style="background:rgb(37 99 235 / ${(0.15 + 0.6 * share).toFixed(2)})">${runs}</td>`
  }
  const head = (name: string, runs: number) =>
    `<th scope="col">${safe(name)} (${runs === 0 ? 'never' : runs})</th>`
  const row = (fault: string) =>
    `<tr><th scope="row"><code>${safe(fault)}</code> (${reached.faults[fault] || 'never'})</th>${states
      .map((state) => cell(fault, state))
      .join('')}</tr>`
  const body = `<main>
<h1>Faults and states</h1>
<p>${played} runs, ${branches} of them branches. A cell is in how many runs a state was reached after a fault: ${met} of ${faults.length * states.length} pairs were met. A hatched one never was.</p>
<table><thead><tr><td></td>${states.map((state) => head(state, reached.sometimes[state] ?? 0)).join('')}</tr></thead>
<tbody>${faults.map(row).join('\n')}</tbody></table>
</main>`
  return toPage({ title: 'Faults and states · rollbed', style: STYLE, bodyClass: 'met', body })
}
