import { escapeMarkup as safe } from '#reports/escape-markup'
import { PAGE_STYLE } from '#reports/html/page-style'
import { toPage } from '#reports/html/to-page'
import type { CorpusDescription } from './describe-corpus.ts'

type Described = CorpusDescription['failures'][number]

const STYLE = `${PAGE_STYLE}
body.found{display:block;overflow:auto;height:auto;max-width:80rem;margin:0 auto;padding:1rem}
.found td ul{margin:0;padding-left:1.1rem}`

/** One static page without script: it opens from a file, and needs nothing else. */
export function toCorpusHtml({ broken, mended, failures }: CorpusDescription): string {
  const body = `<main>
<h1>What the weather found</h1>
<p>${broken} broken, ${mended} mended. Each is one sentence that was broken, and the targets whose faults it takes.</p>
<h2>Broken</h2>
${table(failures.filter((each) => !each.mended))}
<h2>Mended</h2>
${table(failures.filter((each) => each.mended))}
</main>`
  return toPage({ title: 'Found · rollbed', style: STYLE, bodyClass: 'found', body })
}

function table(failures: readonly Described[]): string {
  if (failures.length === 0) return '<p>Nothing.</p>'
  const rows = failures.map((each) => {
    const { checker, problem, where, body, since, last, mended, again } = each
    const cells = [
      `<code>${safe(checker)}</code><br>${safe(problem)}`,
      where.map((target) => `<code>${safe(target)}</code>`).join('<br>') || 'quiet weather',
      `${safe(since.at)}<br>${safe(since.build)}`,
      mended
        ? `${safe(mended.at)}<br>${safe(mended.build)}${byWhom(mended.by)}`
        : `last ${safe(last.at)}<br>${safe(last.build)}`,
      `<details><summary>${body}</summary><pre>${safe(again)}</pre></details>`,
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  const heads = ['What broke', 'Where', 'Since', failures[0]?.mended ? 'Mended' : 'Seen', 'Again']
  return `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`
}

/** Of one commit its author did it; of several one of them. */
function byWhom(by: readonly string[] | undefined): string {
  if (!by) return ''
  if (by.length === 1) return `<br>by ${safe(by[0]!)}`
  return `<br>by one of<ul>${by.map((commit) => `<li>${safe(commit)}</li>`).join('')}</ul>`
}
