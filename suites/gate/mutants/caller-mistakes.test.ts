import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CALLER_MUTANTS } from '#mocks/zoo/callers/caller-mutants'
import { systemClock } from '#protocol/clock/system-clock'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const FILES = globSync('{devnet,enclave-sim}/**/*.ts', { cwd: ROOT })

// One whose text is gone ends its caller at the start, and would be killed for nothing.
test.each(CALLER_MUTANTS)('given $id, then the line that it changes is there', ({ apply }) => {
  const { mistake } = apply({ clock: systemClock, ask: async () => null })
  const files = FILES.filter((file) => file.endsWith(`/${mistake?.file}`))
  expect(files).toHaveLength(1)
  expect(readFileSync(join(ROOT, files[0]!), 'utf8')).toContain(mistake?.from)
})
