import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { systemClock } from '#protocol/clock/system-clock'
import { wasCutOff } from '#suites/system/end-to-end/rollbed-process'
import { ROOT } from '../docs/source-tree.ts'
import { allFences, commandsOf } from './fences.ts'
import { PAGE_SESSIONS } from './page-sessions.ts'

/**
 * `node play-session.ts NAME [--own-ports]`: types what a page prints in a fresh folder, three times: the
 * first devnet is stopped by Ctrl-C, the second killed with -9. Each time it asks for what the page
 * promises; the first that is not so ends it with 1.
 *
 * Two things are not as printed: `npx` only looks where it would look first, and with `--own-ports`, where
 * there is no network namespace to be had, `rollbed up` takes free ports, and the addresses of the page are
 * replaced by these.
 */
const [name, ownPorts] = process.argv.slice(2)
const session = PAGE_SESSIONS[name!]!
const folder = mkdtempSync(join(tmpdir(), 'rollbed-page-'))
const bin = join(folder, '.bin')
mkdirSync(bin)
writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
writeFileSync(
  join(bin, 'rollbed'),
  `#!/bin/sh\nexec '${join(ROOT, 'devnet', 'cli', 'rollbed.sh')}' "$@"\n`,
  { mode: 0o755 },
)
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, BROWSER: 'true', NO_COLOR: '1' }

/** The devnet that runs, and what it is. */
let up: ChildProcess | undefined
let devnet: DevnetDescription | undefined
let output = ''

try {
  session.prepare?.(folder)
  let before: unknown
  for (const ending of ['SIGINT', 'SIGKILL', 'SIGINT'] as const) {
    output = ''
    for (const command of commands()) await type(command)
    before = await session.promise({ devnet: devnet!, folder, output }, before)
    await end(ending)
  }
} finally {
  // What went wrong before is told, not how it ended after.
  if (up?.exitCode === null) await end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

function commands(): string[] {
  const fences = allFences()
  const printed = session.fences.flatMap((wanted) => {
    const fence = fences.find(({ name }) => name === wanted)
    if (!fence) throw new Error(`No page has ${wanted}.`)
    return commandsOf(fence)
  })
  const elsewhere = Object.keys(session.without ?? {})
  const typed = printed.filter((line) => !elsewhere.some((start) => line.startsWith(start)))
  return session.first ? [session.first, ...typed] : typed
}

async function type(command: string): Promise<void> {
  if (/^(npx )?rollbed up\b/.test(command)) return await startDevnet(command)
  const child = spawn('bash', ['-c', placed(command)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [exitCode] = await once(child, 'close')
  output += said
  if (exitCode !== 0) throw new Error(`'${command}' ended with ${exitCode}: ${said}`)
}

/** One after another where a page has several: they listen at the same ports. */
async function startDevnet(command: string): Promise<void> {
  await end('SIGINT')
  const [, words, comment = ''] = /^([^#&]*)(.*)$/.exec(command)!
  const line = `${words!.trim()}${ownPorts ? ' --port-base 0' : ''} ${comment.replace(/^&\s*/, '')}`
  // In a group of its own, as a terminal has it: Ctrl-C reaches all of it.
  const child = spawn('bash', ['-c', `exec ${line.replace(/^npx /, '')}`], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  up = child
  let said = ''
  child.stderr!.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'close').then(([exitCode]) => {
    throw new Error(`'${command}' ended with ${exitCode}: ${said}`)
  })
  ended.catch(() => {})
  await Promise.race([once(child.stdout!, 'data'), ended])
  child.stdout!.resume()
  const file = /--config-out (\S+)/.exec(command)?.[1] ?? '.rollbed/devnet.json'
  devnet = JSON.parse(readFileSync(join(folder, file), 'utf8')) as DevnetDescription
}

/** @throws Error when Ctrl-C does not end it well */
async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const child = up
  up = undefined
  if (!child || child.exitCode !== null) return
  const closed = once(child, 'exit')
  // A kill hits the command alone; what it started is for others to take away.
  process.kill(signal === 'SIGINT' ? -child.pid! : child.pid!, signal)
  const began = systemClock.now()
  const [exitCode] = await closed
  // A machine that is busy with other tests may come to where `rollbed up` cuts off what still wants to end.
  const isCutOff = wasCutOff(exitCode, systemClock.now() - began)
  if (signal === 'SIGINT' && exitCode !== 0 && !isCutOff)
    throw new Error(`Ctrl-C ended it with ${exitCode}.`)
}

/** With the addresses of the devnet, where it has others than the page. */
function placed(command: string): string {
  if (!ownPorts || !devnet) return command
  return command
    .replaceAll('http://127.0.0.1:8545', devnet.rpcUrl)
    .replaceAll('http://127.0.0.1:8546', devnet.apiUrl)
}
