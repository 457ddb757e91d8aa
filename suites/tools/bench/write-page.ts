import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Figures } from './figures.ts'
import { type GoalState, goalStates } from './goal-states.ts'

type Rows = Figures['results'][string]

const FILE = fileURLToPath(new URL('./speed.html', import.meta.url))
const RATIO = 'ours ÷ anvil'
const WIDTH = 900
const LABELS = 300
const LINE = 22
/** Ratios from 1/64 to 64 fit. */
const MAX_LOG = 6

/** Writes the page of the newest figures, and of how they have changed. Returns its path. */
export function writePage(runs: readonly Figures[]): string {
  const last = runs.at(-1)!
  const parts = newestOfEach(runs).map(({ title, rows, ...run }) => {
    const ratios = Object.entries(rows).flatMap(([what, values]) =>
      RATIO in values ? [[what, values[RATIO]!] as const] : [],
    )
    const picture = ratios.length > 0 ? bars(ratios) : ''
    return `<h2>${escaped(title)}</h2><p>${placeOf(run)}.</p>${picture}${table(rows)}`
  })
  writeFileSync(
    FILE,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>rollbed: speed</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: 0.1rem 0.7rem; text-align: right; border-bottom: 1px solid #ddd }
td:first-child, td.words { text-align: left }
svg { max-width: 100%; height: auto } svg text { font: 13px system-ui, sans-serif }
</style></head><body>
<h1>Speed</h1>
<p>Made by <code>npm run bench -- --page</code>; last on ${placeOf(last)}.
Only ratios mean anything on another machine.</p>
<h2>Goals</h2>
${goalTable(goalStates(runs))}
${parts.join('\n')}
<h2>Over time</h2>
${overTime(runs)}
</body></html>
`,
  )
  return FILE
}

/** The newest figures of each benchmark: a run need not be of all of them. */
function newestOfEach(runs: readonly Figures[]) {
  const found = new Map<string, Omit<Figures, 'results'> & { title: string; rows: Rows }>()
  for (const { results, ...run } of runs) {
    for (const [title, rows] of Object.entries(results)) found.set(title, { ...run, title, rows })
  }
  return [...found.values()]
}

const placeOf = ({ date, machine }: Omit<Figures, 'results'>) => escaped(`${date}, ${machine}`)

/** Bars to the right of the middle are faster than anvil; each line doubles. */
function bars(ratios: readonly (readonly [string, number])[]): string {
  const scale = (WIDTH - LABELS - 60) / (2 * MAX_LOG)
  const middle = LABELS + MAX_LOG * scale
  const height = ratios.length * LINE + 24
  const grid = Array.from({ length: 2 * MAX_LOG + 1 }, (_, at) => at - MAX_LOG).map((power) => {
    const x = middle + power * scale
    const name = power < 0 ? `1/${2 ** -power}` : String(2 ** power)
    return `<line x1="${x}" x2="${x}" y1="0" y2="${height - 20}" stroke="${power ? '#ddd' : '#555'}"/><text x="${x}" y="${height - 5}" text-anchor="middle" fill="#555">${name}</text>`
  })
  const lines = ratios.map(([what, ratio], at) => {
    const length = Math.max(-MAX_LOG, Math.min(MAX_LOG, Math.log2(ratio))) * scale
    const y = at * LINE
    const color = ratio >= 1 ? '#2a7' : '#c63'
    return `<text x="${LABELS - 8}" y="${y + 15}" text-anchor="end">${escaped(what)}</text><rect x="${Math.min(middle, middle + length)}" y="${y + 3}" width="${Math.abs(length)}" height="${LINE - 6}" fill="${color}"/><text x="${length < 0 ? middle + 6 : middle + length + 6}" y="${y + 15}">${ratio.toPrecision(2)}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Our speed divided by anvil's">${grid.join('')}${lines.join('')}</svg>`
}

function table(rows: Rows): string {
  const columns = [...new Set(Object.values(rows).flatMap((values) => Object.keys(values)))]
  const head = ['', ...columns].map((column) => `<th>${escaped(column)}</th>`).join('')
  const body = Object.entries(rows).map(([what, values]) => {
    const cells = columns.map((column) => `<td>${values[column] ?? ''}</td>`)
    return `<tr><td>${escaped(what)}</td>${cells.join('')}</tr>`
  })
  return `<table><tr>${head}</tr>${body.join('')}</table>`
}

function goalTable(goals: readonly GoalState[]): string {
  const body = goals.map(({ what, want, newest, elsewhere, isMet, missed }) => {
    const aim = 'least' in want ? `at least ${want.least}` : `at most ${want.most}`
    const seen = newest
      ? `<td>${newest.value}</td><td>${placeOf(newest)}</td>`
      : '<td>not reached</td><td></td>'
    const others = elsewhere.map((one) => `${one.value} (${placeOf(one)})`).join('<br>')
    const words = isMet ? 'met' : `missed. ${missed}`
    return `<tr><td>${escaped(what)}</td><td>${aim}</td>${seen}<td>${others}</td><td class="words">${escaped(words)}</td></tr>`
  })
  return `<table><tr><th></th><th>goal</th><th>newest</th><th>measured</th><th>on other machines</th><th></th></tr>${body.join('')}</table>`
}

/** The mean of all ratios that a run has, run by run. */
function overTime(runs: readonly Figures[]): string {
  const means = runs.map(({ date, results }) => {
    const ratios = Object.values(results).flatMap((rows) =>
      Object.values(rows).flatMap((values) => values[RATIO] ?? []),
    )
    const mean = Math.exp(ratios.reduce((sum, it) => sum + Math.log(it), 0) / ratios.length)
    return [date, mean] as const
  })
  return bars(means.filter(([, mean]) => Number.isFinite(mean)))
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
