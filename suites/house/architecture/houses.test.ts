import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './source-files.ts'

const SUITES = join(ROOT, 'suites')
/** More and a newcomer looks for the house instead of the test. */
const MOST_HOUSES = 8

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

test('given suites, then it has eight houses at most, and ARCHITECTURE.md names each', () => {
  const architecture = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const houses = folders(SUITES)
  expect(houses.length).toBeLessThanOrEqual(MOST_HOUSES)
  expect(houses.filter((house) => !architecture.includes(`| \`${house}\` |`))).toEqual([])
})

test.each(folders(SUITES))(
  'given the folders of %s, then its README names each, and a way to run a part',
  (house) => {
    const readme = join(SUITES, house, 'README.md')
    expect(existsSync(readme)).toBe(true)
    const text = readFileSync(readme, 'utf8')
    const unnamed = folders(join(SUITES, house)).filter((name) => !text.includes(`\`${name}\``))
    expect(unnamed).toEqual([])
    expect(text).toContain('Run a part:')
  },
)
