import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { ensureChromium } from '#suites/gate/report-page/install-chromium'
import { ROOT } from '../docs/source-tree.ts'

/** What a newcomer types, one after the other, in a folder of its own. */
interface Path {
  name: string
  /** Undefined where `rollbed init` makes the project, too. */
  companions: readonly string[] | undefined
  /** Arguments of `rollbed init`; undefined where a program is copied from the docs. */
  init?: string
  /** What the newcomer came for. */
  runs: readonly [command: string, ...args: string[]]
}

const PLAYWRIGHT = ['npx', 'playwright', 'test', '-c', 'own.config.ts'] as const

const PATHS: readonly Path[] = [
  {
    ...{ name: 'a green test', companions: ['viem', 'vitest'], init: 'vitest' },
    runs: ['npx', 'vitest', 'run'],
  },
  {
    ...{ name: 'a test of a page', companions: ['viem', '@playwright/test'], init: 'playwright' },
    runs: PLAYWRIGHT,
  },
  { name: 'a withdrawal', companions: ['viem'], runs: ['node', 'withdraw.mjs'] },
  { name: 'a dapp on Next.js', companions: undefined, init: 'next', runs: PLAYWRIGHT },
]

/** Seconds of each step. */
type Stopwatch = Record<string, number>

/** A stopwatch beside a newcomer: from an empty folder to what they came for, by the packed package. */
async function main(options: { folder: string; tarball?: string; json?: boolean }): Promise<void> {
  const folder = resolve(options.folder)
  mkdirSync(folder, { recursive: true })
  const tarball = options.tarball ? resolve(options.tarball) : await pack(folder)
  const measured: Record<string, Stopwatch> = {}
  for (const path of PATHS) {
    process.stderr.write(`${path.name}\n`)
    measured[path.name] = await walk(path, join(folder, path.name.replaceAll(/\W/g, '-')), tarball)
  }
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ cores: cpus().length, measured })}\n`)
    return
  }
  for (const [name, steps] of Object.entries(measured)) {
    const all = Object.values(steps).reduce((sum, seconds) => sum + seconds, 0)
    const each = Object.entries(steps).map(([step, seconds]) => `${step} ${seconds.toFixed(1)}`)
    process.stdout.write(`${name}: ${all.toFixed(1)} s (${each.join(', ')})\n`)
  }
}

async function walk(path: Path, folder: string, tarball: string): Promise<Stopwatch> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const steps: Stopwatch = {}
  const time = async (step: string, command: string, ...args: string[]) => {
    const started = systemClock.now()
    await run(command, args, folder)
    steps[step] = (systemClock.now() - started) / 1000
  }
  if (path.companions) {
    await time('npm init', 'npm', 'init', '--yes')
    await time('install', 'npm', 'install', '--save-dev', tarball, ...path.companions)
    if (path.init) await time('rollbed init', 'npx', 'rollbed', 'init', path.init)
  } else {
    const words = ['--yes', `--package=${tarball}`, '--', 'rollbed', 'init', path.init!]
    await time('rollbed init', 'npm', 'exec', ...words)
    await time('install', 'npm', 'install', '--save-dev', tarball)
  }
  writeFileSync(join(folder, 'own.config.ts'), await playwrightConfig())
  writeFileSync(join(folder, 'withdraw.mjs'), withdrawal())
  await time('run', ...path.runs)
  await time('run again', ...path.runs)
  return steps
}

/** A browser is there already: `npx playwright install` fetches some 200 MB, as fast as the network is. */
async function playwrightConfig(): Promise<string> {
  const launchOptions = { executablePath: await ensureChromium(), args: ['--no-sandbox'] }
  return `import config from './playwright.config'
export default { ...config, use: { ...config.use, launchOptions: ${JSON.stringify(launchOptions)} } }
`
}

/** The first program of the page on bridging, with the devnet that the page takes as given. */
function withdrawal(): string {
  const page = readFileSync(join(ROOT, 'devnet/docs/bridging.md'), 'utf8')
  const [, program] = /^```ts\n(.*?)^```$/ms.exec(page)!
  return `import { startDevnet } from 'rollbed'
const devnet = await startDevnet({ actors: true })
const show = console.log
${program}await devnet.stop()
`
}

async function pack(folder: string): Promise<string> {
  process.stderr.write('packing\n')
  const output = await run('npm', ['pack', '--json', '--pack-destination', folder], ROOT)
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  // The newcomer's Node is the one that runs this.
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path },
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [exitCode] = await once(child, 'close')
  if (exitCode === 0) return output
  throw new Error(
    `${command} ${args.join(' ')} ended with ${exitCode}:\n${(output + errors).slice(-4_000)}`,
  )
}

await new Command('npm run first-hour --')
  .description('Walks the first steps of a newcomer by the packed package, with a stopwatch.')
  .requiredOption('--folder <dir>', 'where the projects are made')
  .option('--tarball <file>', 'one that is packed already')
  .option('--json', 'print one line of JSON')
  .action(main)
  .parseAsync()
