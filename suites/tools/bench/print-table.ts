import type { BenchResult } from './measurement.ts'

/** A benchmark's result as text. */
export function printTable({ title, note, rows }: BenchResult): string {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const cells = rows.map(({ what, values }) => [
    what,
    ...columns.map((column) => (column in values ? format(values[column]!) : '')),
  ])
  const lines = [['', ...columns], ...cells]
  const widths = lines[0]!.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  const text = lines.map((line) =>
    line
      .map((cell, index) => (index ? cell.padStart(widths[index]!) : cell.padEnd(widths[0]!)))
      .join('  '),
  )
  return [title, ...text, note].join('\n')
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
