import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { sampleCase, sampleRun } from '#reports/sample-run'

/** The commands themselves, under the mask that most users have: the mask of this process is its own. */

const COMMAND = join(import.meta.dirname, 'rollbed.sh')
const RUN = 'umask 022; exec "$0" "$@"'

let folder: string
beforeEach(() => {
  folder = makeRunFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Files that a command has made in a folder that was there, each with what others may do: 0 for nothing. */
function madeBy(args: string[]): Record<string, number> {
  const before = new Set(readdirSync(folder))
  const { status, stderr } = spawnSync('/bin/sh', ['-c', RUN, COMMAND, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const made = readdirSync(folder).filter((name) => !before.has(name))
  return Object.fromEntries(made.map((name) => [name, statSync(join(folder, name)).mode & 0o077]))
}

test('given reports, recorded events and plans in a folder that was there, then they are for their owner alone', () => {
  const run = { ...sampleRun(), cases: [sampleCase()], staleExpectations: [] }
  writeFileSync(join(folder, 'recorded.json'), JSON.stringify(run))
  const formats = 'html,json,junit,ctrf,sarif,md'
  const reports = madeBy(['report', 'rejudge', 'recorded.json', '--out', '.', '--format', formats])
  expect(Object.keys(reports).length).toBeGreaterThanOrEqual(6)
  const played = madeBy(['fault', 'run', 'users-down', '--out', '.'])
  expect(played).toMatchObject({ 'events.ndjson': 0, 'plan.json': 0 })
  for (const made of [reports, played])
    expect(made).toEqual(Object.fromEntries(Object.keys(made).map((name) => [name, 0])))
})

test('given what is made to be published, then a web server of another user can read it', () => {
  const run = { ...sampleRun(), cases: [sampleCase()], staleExpectations: [] }
  writeFileSync(join(folder, 'recorded.json'), JSON.stringify(run))
  const made = madeBy(['report', 'site', '.', 'recorded.json'])
  expect(made).toMatchObject({ 'index.html': 0o044 })
})
