import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANES, lane } from '#suites/lane'
import { laneNamed } from './install-lane.ts'
import { testsOf } from './tests-of.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

test('given the folders with a package.json, then they are the lanes', () => {
  const folders = globSync('*/package.json', { cwd: import.meta.dirname })
  expect(folders.sort()).toEqual(LANES.map((name) => `${name}/package.json`))
})

describe.each(LANES)('given the lane %s', (name) => {
  const { folder } = lane(name)
  const wanted: Record<string, string> = json(join(folder, 'package.json')).dependencies

  test('then its lock file has what its manifest asks for, of one version each', () => {
    const { packages } = json(join(folder, 'package-lock.json'))
    for (const [dependency, version] of Object.entries(wanted))
      expect(version.endsWith(packages[`node_modules/${dependency}`].version), dependency).toBe(
        true,
      )
  })

  test('then `npm ci` of the repository brings none of it, but for what both use', () => {
    const { dependencies, devDependencies } = json(join(ROOT, 'package.json'))
    const own = { ...dependencies, ...devDependencies }
    const both = Object.keys(wanted).filter((dependency) => dependency in own)
    expect(both.filter((dependency) => !['typescript', 'viem'].includes(dependency))).toEqual([])
  })

  test('then somebody runs it: tests of ours, or a command', () => {
    const scripts = JSON.stringify(json(join(ROOT, 'package.json')).scripts)
    const isCommand = scripts.includes(`install-lane.ts ${name} `)
    expect(testsOf(name).length > 0 || isCommand).toBe(true)
    expect(testsOf(name).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})

test('given a lane that nobody knows, then the refusal names those that there are', () => {
  expect(() => laneNamed('clinets')).toThrow(/take one of clients, engine/)
})

test('given `npm run lanes -- --help`, then it names the lanes and installs none', () => {
  const script = join(import.meta.dirname, 'run-lanes.ts')
  const said = execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' })
  expect(said).toMatch(/^Usage: npm run lanes/)
  for (const name of LANES) expect(said).toContain(`"${name}"`)
})
