import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaneName } from '#suites/lane'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The test files, from the root on, that ask for a lane. */
export function testsOf(name: LaneName): string[] {
  return globSync('suites/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] })
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(`lane('${name}')`))
    .sort()
}
