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

/** Adds a run to the history. What one of the same day has of other benchmarks is taken over. */
export function addFigures(machine: string, results: readonly BenchResult[]): Figures[] {
  const date = new Date().toISOString().slice(0, 10)
  const earlier = readFigures()
  const today = earlier.at(-1)?.date === date ? earlier.pop()!.results : {}
  const measured = Object.fromEntries(
    results.map(({ title, rows }) => [
      title,
      Object.fromEntries(rows.map(({ what, values }) => [what, rounded(values)])),
    ]),
  )
  const run = { date, machine, results: { ...today, ...measured } }
  const runs = [...earlier, run].slice(-MAX_RUNS)
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`)
  return runs
}

function rounded(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, Number(value.toPrecision(3))]),
  )
}
