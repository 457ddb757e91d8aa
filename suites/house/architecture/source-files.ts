import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..', '..')
export const ROOMS = ['devnet', 'fixtures', 'suites', 'mocks', 'enclave-sim', 'reports'] as const

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  path: string
  text: string
}

/** Every TypeScript file of the six rooms. */
export function sourceFiles(): SourceFile[] {
  return ROOMS.flatMap((room) =>
    globSync(join(ROOT, room, '**/*.{ts,tsx}'), { exclude: ['**/node_modules'] }),
  ).map((file) => ({
    path: relative(ROOT, file),
    text: readFileSync(file, 'utf8'),
  }))
}
