import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { CaseSetAside } from '../case-failure.ts'
import { quoteWord } from '../repro-command.ts'
import { hastyClock } from '../testing/hasty-clock.ts'
import { TimeLimit } from '../time-limit.ts'
import { createHostLauncher } from './launch-host.ts'
import { tooLate } from './start-in-turn.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollbed launch '))
const script = join(folder, 'host.mjs')
afterAll(() => rmSync(folder, { recursive: true }))

/** A host of one line: it listens where `--listen` says, or ends. */
writeFileSync(
  script,
  `import { createServer } from 'node:http'
const [flag, value] = process.argv.slice(2)
console.log('flag ' + flag)
if (flag !== '--listen') process.exit(2)
const server = createServer((_, response) => response.end('here'))
server.listen(Number(value.split(':')[1]), '127.0.0.1')
process.on('SIGINT', () => process.exit(0))`,
)
const command = `${process.execPath} ${quoteWord(script)}`
/** The same, but it waits for a line in a pipe before it begins. */
const gate = join(folder, 'gate')
execFileSync('mkfifo', [gate])
const late = `sh -c ${quoteWord(`read line < "$0"; exec ${command} "$@"`)} ${quoteWord(gate)}`

const launcher = (signal: AbortSignal) =>
  createHostLauncher({ command, clock: systemClock, signal })

describe('a launched prover host', () => {
  it('given one that listens, then it is known by its port, and ends with the interrupt', async () => {
    const host = await launcher(new AbortController().signal)([['--listen', '127.0.0.1:0']])
    expect(await (await fetch(host.url!)).text()).toBe('here')
    host.interrupt()
    expect(await host.ended).toBe(0)
    expect(host.output()).toContain('flag --listen')
  })

  it('given one that ends before it listens, then it has no URL, and its exit code', async () => {
    const host = await launcher(new AbortController().signal)([['--other', 'x']])
    expect(host.url).toBeUndefined()
    expect(await host.ended).toBe(2)
  })

  it('given one that cannot be started, then it ends as a shell says', async () => {
    const { signal } = new AbortController()
    const launch = createHostLauncher({ command: '/nonexistent/host', clock: systemClock, signal })
    expect(await (await launch([])).ended).toBe(127)
  })

  it('given one that neither listens nor ends, then it is late, and no case fails because of it', async () => {
    const abort = new AbortController()
    const launch = createHostLauncher({
      ...{ command: 'sleep 600 #', clock: hastyClock(), signal: abort.signal },
    })
    const host = await launch([])
    abort.abort()
    await host.ended
    expect(host).toMatchObject({ state: 'late', url: undefined })
    expect(() => tooLate('host')).toThrow(CaseSetAside)
  })

  it('given a time limit, when a start takes longer, then it counts nothing of it', async () => {
    const clock = new VirtualClock()
    const limit = new TimeLimit(clock, 1_000, () => new Error('over'))
    const { signal } = new AbortController()
    const launch = createHostLauncher({ command: late, clock: systemClock, signal, limit })
    const launching = launch([['--listen', '127.0.0.1:0']])
    await clock.advance(5_000)
    await writeFile(gate, 'begin\n')
    const host = await launching
    host.interrupt()
    expect(await limit.hold(host.ended)).toBe(0)
    expect(limit.spent).toBe(0)
  })

  it('given a signal, then it does not outlive it', async () => {
    const abort = new AbortController()
    const host = await launcher(abort.signal)([['--listen', '127.0.0.1:0']])
    abort.abort()
    expect(await host.ended).toBeNull()
  })
})
