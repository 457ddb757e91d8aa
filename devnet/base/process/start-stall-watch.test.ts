import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/**
 * A process of its own: whoever stands still cannot look at what is said meanwhile. It stands still until
 * it is written to, and that is done by whoever has read that it does.
 */
const PROGRAM = `
  import { readSync, writeSync } from 'node:fs'
  import { systemClock } from '#protocol/clock/system-clock'
  import { startStallWatch } from './start-stall-watch.ts'
  const told = Promise.withResolvers()
  const supervisor = { warn: (part, problem) => problem && told.resolve(part + ': ' + problem) }
  const watch = startStallWatch({ supervisor, clock: systemClock, logFormat: 'json', interval: 25 })
  readSync(0, Buffer.alloc(1))
  writeSync(1, await told.promise)
  await watch.stop()
`

test('given an event loop that stands still, then the log says so meanwhile, and the warnings once it goes on', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', PROGRAM],
    { cwd: import.meta.dirname },
  )
  const warning = text(child.stdout)
  // Two lines may come in one piece, where the machine is busy: none is to be lost.
  const log = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
  const line = async () => JSON.parse((await log.next()).value as string)
  expect(await line()).toMatchObject({
    level: 40,
    msg: 'event loop: it stands still for 0.1 s: nothing is answered.',
  })
  child.stdin.end('.')
  expect((await line()).msg).toMatch(/^event loop: it goes on after \d+\.\d s\.$/)
  expect(await warning).toMatch(/^event loop: it stood still for \d+\.\d s\.$/)
})
