import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { isNewEnough } from '#devnet/base/process/least-node'
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

interface Options {
  folder: string
  node: string
  only?: string[]
  tarball?: string
  json?: boolean
}

/** Who walks: what they install, and the Node that is first on their PATH. */
interface Newcomer {
  tarball: string
  node: string
  version: string
}

/** A stopwatch beside a newcomer: from an empty folder to what they came for, by the packed package. */
async function main(options: Options): Promise<void> {
  const folder = resolve(options.folder)
  mkdirSync(folder, { recursive: true })
  const node = resolve(options.node)
  const version = (await run(node, ['--version'], { cwd: folder, node })).trim().slice(1)
  const tarball = options.tarball ? resolve(options.tarball) : await pack(folder)
  const measured: Record<string, Stopwatch> = {}
  for (const path of PATHS.filter(({ name }) => options.only?.includes(name) ?? true)) {
    process.stderr.write(`${path.name}\n`)
    const place = join(folder, path.name.replaceAll(/\W/g, '-'))
    measured[path.name] = await walk(path, place, { tarball, node, version })
  }
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ cores: cpus().length, node: version, measured })}\n`)
    return
  }
  for (const [name, steps] of Object.entries(measured)) {
    const all = Object.values(steps).reduce((sum, seconds) => sum + seconds, 0)
    const each = Object.entries(steps).map(([step, seconds]) => `${step} ${seconds.toFixed(1)}`)
    process.stdout.write(`${name}: ${all.toFixed(1)} s (${each.join(', ')})\n`)
  }
}

async function walk(path: Path, folder: string, newcomer: Newcomer): Promise<Stopwatch> {
  const { tarball, node, version } = newcomer
  // What README says of Node 20: tests want a newer one beside rollbed, and `npx node` is that one.
  const [ownNode, runs] = isNewEnough(version)
    ? [[], path.runs]
    : [['node@24'], path.runs[0] === 'node' ? ['npx', ...path.runs] : path.runs]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const steps: Stopwatch = {}
  const time = async (step: string, command: string, ...args: string[]) => {
    const started = systemClock.now()
    await run(command, args, { cwd: folder, node })
    steps[step] = (systemClock.now() - started) / 1000
  }
  if (path.companions) {
    await time('npm init', 'npm', 'init', '--yes')
    await time('install', 'npm', 'install', '--save-dev', tarball, ...path.companions, ...ownNode)
    if (path.init) await time('rollbed init', 'npx', 'rollbed', 'init', path.init)
  } else {
    const words = ['--yes', `--package=${tarball}`, '--', 'rollbed', 'init', path.init!]
    await time('rollbed init', 'npm', 'exec', ...words)
    await time('install', 'npm', 'install', '--save-dev', tarball, ...ownNode)
  }
  writeFileSync(join(folder, 'own.config.ts'), await playwrightConfig())
  writeFileSync(join(folder, 'withdraw.mjs'), withdrawal())
  const [command, ...args] = runs
  await time('run', command!, ...args)
  await time('run again', command!, ...args)
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
${program}await devnet.stop()
`
}

async function pack(folder: string): Promise<string> {
  process.stderr.write('packing\n')
  const how = { cwd: ROOT, node: process.execPath }
  const output = await run('npm', ['pack', '--json', '--pack-destination', folder], how)
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

async function run(
  command: string,
  args: readonly string[],
  { cwd, node }: { cwd: string; node: string },
): Promise<string> {
  const path = `${dirname(node)}:${process.env.PATH}`
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
  .option('--node <path>', 'the one that the newcomer has', process.execPath)
  .addOption(new Option('--only <path...>', 'some of them').choices(PATHS.map(({ name }) => name)))
  .option('--tarball <file>', 'one that is packed already')
  .option('--json', 'print one line of JSON')
  .action(main)
  .parseAsync()
