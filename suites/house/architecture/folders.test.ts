import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-files.ts'

const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

test.each(['enclave-sim', 'devnet'])(
  'given the folders of %s, then ARCHITECTURE.md names each',
  (room) => {
    const folders = readdirSync(join(ROOT, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    expect(folders.filter((folder) => !architecture.includes(`\`${folder}\``))).toEqual([])
  },
)

test('given the top level, then it holds the six rooms and nothing else', () => {
  const known = ['devnet', 'enclave-sim', 'fixtures', 'mocks', 'reports', 'suites']
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
  expect(folders.filter((name) => !['node_modules', 'dist', 'coverage'].includes(name))).toEqual(
    known,
  )
})
