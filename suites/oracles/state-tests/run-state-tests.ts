import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runStateCase } from './run-state-case.ts'
import { parseStateTests } from './state-case.ts'

export interface ForkReport {
  passed: number
  /** By reason. */
  excluded: Record<string, number>
  differences: string[]
  /** Cases that ended in an error of ours. */
  thrown: string[]
}

export interface StateTestReport {
  /** By fork. */
  forks: Record<string, ForkReport>
  /** Files whose content Git LFS keeps elsewhere. */
  absent: string[]
}

/** Runs every state test below a directory that is filled for one of `forks`. */
export async function runStateTests(
  directory: string,
  forks: readonly string[],
): Promise<StateTestReport> {
  const report: StateTestReport = { forks: {}, absent: [] }
  for (const fork of forks) {
    report.forks[fork] = { passed: 0, excluded: {}, differences: [], thrown: [] }
  }
  const files = globSync('**/*.json', { cwd: directory, exclude: ['**/.meta/**'] })
  for (const file of files.sort()) {
    const text = readFileSync(join(directory, file), 'utf8')
    if (text.startsWith('version https://git-lfs')) {
      report.absent.push(file)
      continue
    }
    for (const test of parseStateTests(JSON.parse(text), forks)) {
      const verdict = await runStateCase(test)
      const counts = report.forks[test.fork]!
      if (verdict.kind === 'passed') counts.passed++
      else if (verdict.kind === 'differs') {
        counts.differences.push(`${file} ${test.name}: ${verdict.difference}`)
      } else if (verdict.kind === 'threw') {
        counts.thrown.push(`${file} ${test.name}: ${verdict.error}`)
      } else counts.excluded[verdict.reason] = (counts.excluded[verdict.reason] ?? 0) + 1
    }
  }
  return report
}

/** The counts as lines of text. */
export function describeReport({ forks, absent }: StateTestReport): string {
  const lines = Object.entries(forks).flatMap(
    ([fork, { passed, excluded, differences, thrown }]) => [
      `${fork}: ${passed} passed, ${differences.length} differ, ${thrown.length} throw`,
      ...Object.entries(excluded).map(([reason, count]) => `${fork}: ${count} excluded: ${reason}`),
    ],
  )
  return [...lines, ...absent.map((file) => `not there (Git LFS): ${file}`)].join('\n')
}
