import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'
import { ROOT } from '../docs/source-tree.ts'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
/** Scripts that take arguments, by name: the program that each starts. */
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [, program] = /^node (suites\/\S+\.ts)$/.exec(command) ?? []
  if (!program) return []
  const source = readFileSync(join(ROOT, program), 'utf8')
  return /new Command\(|process\.argv\.slice/.test(source) && name !== 'test'
    ? [{ name, program }]
    : []
})

test('given the scripts, then those that take arguments are known', () => {
  expect(programs.length).toBeGreaterThanOrEqual(16)
})

// A second each: a commit asks two.
test.each(drawShare(drawnBy, programs, 2 / programs.length))(
  'given npm run $name -- --help, then it says how, and nothing else happens',
  ({ name, program }) => {
    const said = execFileSync(process.execPath, [join(ROOT, program), '--help'], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(said).toContain(`npm run ${name}`)
  },
)
