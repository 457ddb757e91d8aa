import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Seconds; below, the order does not matter. */
const LONG = 5

interface Results {
  projects: Record<string, { files: Record<string, { duration: number }> }>
}

// `npx node suites/write-longest.ts`: longest-first.json anew, of what vitest remembers of the last run of all tests.
const root = join(import.meta.dirname, '..')
const [path] = globSync('node_modules/.vite/vitest/*/results.json', { cwd: root })
if (!path) throw new Error('No run is remembered here. Run `npm test` first.')
const { projects } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Results
const long = Object.values(projects)
  .flatMap(({ files }) => Object.entries(files))
  .map(([file, { duration }]) => [file, Math.round(duration / 1_000)] as const)
  .filter(([, seconds]) => seconds >= LONG)
  .sort(([, a], [, b]) => b - a)
const text = JSON.stringify(Object.fromEntries(long), null, 2)
writeFileSync(join(import.meta.dirname, 'longest-first.json'), `${text}\n`)
