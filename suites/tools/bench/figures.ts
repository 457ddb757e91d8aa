import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BenchResult } from './measurement.ts'

/** One run of the benchmarks, as it is kept in the repository. */
export interface Figures {
  /** Year, month and day. */
  date: string
  machine: string
  /** By the title of the benchmark: its rows and their columns. */
  results: Record<string, Record<string, Record<string, number>>>
}

const FILE = fileURLToPath(new URL('./figures.json', import.meta.url))
/** Runs kept; older ones go. */
const MAX_RUNS = 40

export function readFigures(): Figures[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Figures[]) : []
}

/** Adds a run to the history. */
export function addFigures(machine: string, results: readonly BenchResult[]): Figures[] {
  const date = new Date().toISOString().slice(0, 10)
  const measured = Object.fromEntries(
    results.map(({ title, rows }) => [
      title,
      Object.fromEntries(rows.map(({ what, values }) => [what, rounded(values)])),
    ]),
  )
  const runs = withRun(readFigures(), { date, machine, results: measured })
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`)
  return runs
}

/** What one of the same day on the same kind of machine has of other benchmarks is taken over. */
export function withRun(earlier: readonly Figures[], run: Figures): Figures[] {
  const last = earlier.at(-1)
  if (last?.date !== run.date || kindOf(last.machine) !== kindOf(run.machine))
    return [...earlier, run].slice(-MAX_RUNS)
  return [...earlier.slice(0, -1), { ...run, results: { ...last.results, ...run.results } }]
}

/** A machine without how busy it was. */
export const kindOf = (machine: string): string => machine.replace(/, load \d+$/, '')

function rounded(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, Number(value.toPrecision(3))]),
  )
}
