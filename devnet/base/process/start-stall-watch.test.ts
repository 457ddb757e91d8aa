import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** A process of its own: whoever stands still cannot look at what is said meanwhile. */
const PROGRAM = `
  import { writeSync } from 'node:fs'
  import { systemClock } from '#protocol/clock/system-clock'
  import { startStallWatch } from './start-stall-watch.ts'
  const told = Promise.withResolvers()
  const supervisor = { warn: (part, problem) => problem && told.resolve(part + ': ' + problem) }
  const watch = startStallWatch({ supervisor, clock: systemClock, isLogged: true })
  // The thread has looked a few times when its first message could have come.
  await new Promise((resolve) => systemClock.after(1_000, resolve))
  const began = systemClock.now()
  while (systemClock.now() - began < 2_500);
  writeSync(2, 'the stall is over\\n')
  writeSync(1, await told.promise)
  await watch.stop()
`

test('given an event loop that stands still, then the log says so meanwhile, and the warnings once it goes on', {
  timeout: 30_000,
}, () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', PROGRAM],
    { cwd: import.meta.dirname, encoding: 'utf8' },
  )
  const [first = '', second, third = ''] = stderr.trim().split('\n')
  expect(JSON.parse(first)).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/^event loop: it stands still for 1\.0 s: nothing is answered\.$/),
  })
  expect(second).toBe('the stall is over')
  expect(JSON.parse(third).msg).toMatch(/^event loop: it goes on after \d\.\d s\.$/)
  expect(stdout).toMatch(/^event loop: it stood still for \d\.\d s\.$/)
})
