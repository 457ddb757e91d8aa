import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withTotals } from './head-of-run.ts'
import { toHtml } from './html/to-html.ts'
import type { RunResult } from './model.ts'
import { toBadge } from './to-badge.ts'
import { toCtrf } from './to-ctrf.ts'
import { toJUnit } from './to-junit.ts'
import { toMarkdown } from './to-markdown.ts'
import { toSarif } from './to-sarif.ts'

const WRITERS = {
  html: { file: 'conformance.html', write: toHtml },
  json: { file: 'conformance.json', write: toJson },
  junit: { file: 'conformance.junit.xml', write: toJUnit },
  ctrf: { file: 'conformance.ctrf.json', write: toCtrf },
  sarif: { file: 'conformance.sarif', write: toSarif },
  md: { file: 'conformance.md', write: toMarkdown },
  badge: { file: 'conformance.svg', write: (result: RunResult) => toBadge(result) },
}

export type ReportFormat = keyof typeof WRITERS
/** Name of the file of each format. */
export const REPORT_FILES = Object.fromEntries(
  Object.entries(WRITERS).map(([format, { file }]) => [format, file]),
) as Record<ReportFormat, string>
export const REPORT_FORMATS = Object.keys(WRITERS) as ReportFormat[]

/**
 * Writes a run in the formats asked for, making the folder when it is missing.
 *
 * @returns the paths written, in the order of `formats`
 */
export async function writeReports(
  result: RunResult,
  { dir, formats }: { dir: string; formats: readonly ReportFormat[] },
): Promise<string[]> {
  await mkdir(dir, { recursive: true })
  return Promise.all(
    formats.map(async (format) => {
      const { file, write } = WRITERS[format]
      const path = join(dir, file)
      await writeFile(path, write(result))
      return path
    }),
  )
}

function toJson(result: RunResult): string {
  return `${JSON.stringify(withTotals(result), null, 2)}\n`
}
