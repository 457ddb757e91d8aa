import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { systemClock } from '#protocol/clock/system-clock'
import { ensureChromium } from '#suites/gate/report-page/install-chromium'
import { ROOT } from '../docs/source-tree.ts'
import { scratchFiles } from './scratch-files.ts'

const MANAGERS = ['npm', 'pnpm'] as const
const MODULES = ['module', 'commonjs'] as const
/** What a project that tests a dapp has beside rollbed. */
const COMPANIONS = ['viem', 'vitest', '@playwright/test']

/** The oldest Node that a devnet runs on in the tests' own process. */
const NODE_OF_DEVNETS = 24

type Manager = (typeof MANAGERS)[number]

interface Project {
  name: string
  folder: string
  node: string
  manager: Manager
  type: (typeof MODULES)[number]
}

interface Row {
  project: string
  node: string
  megabytes: number
  /** With the same companions and no rollbed. */
  without: number
  installSeconds: number
  vitestSeconds: number
  playwrightSeconds: number
  problems: string[]
}

/** Packs rollbed, installs it as users would, and runs their first tests. */
async function main(options: {
  folder: string
  node: string[]
  phase: 'install' | 'test' | 'both'
  only?: string[]
  tarball?: string
  json?: boolean
}): Promise<void> {
  const folder = resolve(options.folder)
  mkdirSync(folder, { recursive: true })
  const all = options.node.flatMap((node, at) =>
    MANAGERS.flatMap((manager) =>
      MODULES.map((type): Project => {
        const name = `node${at + 1}-${manager}-${type}`
        return { name, folder: join(folder, name), node: resolve(node), manager, type }
      }),
    ),
  )
  const projects = all.filter(({ name }) => options.only?.includes(name) ?? true)
  const rows: Row[] = []
  const measured = join(folder, 'installed.json')
  if (options.phase !== 'test') {
    const tarball = options.tarball ? resolve(options.tarball) : await pack(folder)
    const installed: Record<string, { seconds: number; megabytes: number; without: number }> = {}
    process.stderr.write('installing what is beside rollbed\n')
    const without = await installWithout(projects[0]!, folder)
    for (const project of projects) {
      process.stderr.write(`installing ${project.name}\n`)
      installed[project.name] = { ...(await install(project, tarball, folder)), without }
    }
    writeFileSync(measured, JSON.stringify(installed))
  }
  if (options.phase !== 'install') {
    const installed = JSON.parse(readFileSync(measured, 'utf8')) as Record<
      string,
      { seconds: number; megabytes: number; without: number }
    >
    for (const project of projects) {
      process.stderr.write(`testing ${project.name}\n`)
      rows.push(await tryOut(project, installed[project.name]!))
    }
    print(rows, options.json ?? false)
    if (rows.some(({ problems }) => problems.length > 0)) process.exitCode = 1
  }
}

async function pack(folder: string): Promise<string> {
  process.stderr.write('packing\n')
  const { output } = await run('npm', ['pack', '--json', '--pack-destination', folder], ROOT)
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

/** `rollbed up` of the project: it finds a Node 24 for itself, where the tests run on an older one. */
async function serveDevnet(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const command = join(folder, 'node_modules/.bin/rollbed')
  const args = ['up', '--json', '--port-base', '0', '--enclaves', 'none']
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: (JSON.parse(String(line)) as { rpcUrl: string }).rpcUrl,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Megabytes of a project without rollbed. */
async function installWithout(project: Project, root: string): Promise<number> {
  const folder = join(root, 'without')
  await add(project, folder, COMPANIONS, root)
  return await megabytes(folder)
}

async function install(project: Project, tarball: string, root: string) {
  const started = systemClock.now()
  await add(project, project.folder, [tarball, ...COMPANIONS], root)
  const seconds = (systemClock.now() - started) / 1000
  for (const [file, text] of Object.entries(scratchFiles(project.type))) {
    writeFileSync(join(project.folder, file), text)
  }
  return { seconds, megabytes: await megabytes(project.folder) }
}

async function add(project: Project, folder: string, packages: string[], root: string) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { type, manager } = project
  // pnpm asks which packages may run their install scripts; npm runs them all.
  const pnpm = { onlyBuiltDependencies: ['@foundry-rs/anvil', 'esbuild', 'koffi', 'secp256k1'] }
  const manifest = { name: 'scratch', private: true, type, pnpm }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const [command, ...first] =
    manager === 'npm'
      ? ['npm', 'install', '--no-audit', '--no-fund']
      : ['npx', '--yes', '--prefix', root, 'pnpm@10', 'add']
  await run(command!, [...first, ...packages], folder, project.node)
}

async function tryOut(
  project: Project,
  installed: { seconds: number; megabytes: number; without: number },
): Promise<Row> {
  const { folder, node } = project
  const bin = (path: string) => join(folder, 'node_modules', path)
  const version = (await run(node, ['--version'], folder)).output.trim()
  const isOld = Number(/\d+/.exec(version)?.[0]) < NODE_OF_DEVNETS
  const devnet = isOld ? await serveDevnet(folder) : undefined
  if (devnet) process.env.ROLLBED_URL = devnet.url
  const vitest = await run(node, [bin('vitest/vitest.mjs'), 'run'], folder, node)
  // Playwright would fetch a browser of its own, some 200 MB.
  process.env.CHROMIUM = await ensureChromium()
  const playwright = await run(node, [bin('@playwright/test/cli.js'), 'test'], folder, node)
  delete process.env.ROLLBED_URL
  await devnet?.stop()
  return {
    project: project.name,
    node: version,
    megabytes: installed.megabytes,
    without: installed.without,
    installSeconds: installed.seconds,
    vitestSeconds: vitest.seconds,
    playwrightSeconds: playwright.seconds,
    problems: [...problemsOf('vitest', vitest), ...problemsOf('Playwright', playwright)],
  }
}

function print(rows: readonly Row[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`)
    return
  }
  for (const row of rows) {
    const own = row.megabytes - row.without
    process.stdout.write(
      `${row.project} (${row.node}): ${row.megabytes} MB installed, ${own} MB of them rollbed's; install ${row.installSeconds.toFixed(1)} s, vitest ${row.vitestSeconds.toFixed(1)} s, Playwright ${row.playwrightSeconds.toFixed(1)} s; ${row.problems.join(', ') || 'passed'}\n`,
    )
  }
}

async function megabytes(folder: string): Promise<number> {
  const { output } = await run('du', ['-sm', 'node_modules'], folder)
  return Number(output.split('\t')[0])
}

/** What is wrong with a run: that it failed, or that something of it goes on. */
function problemsOf(what: string, { exitCode, mark }: Run): string[] {
  const problems = exitCode === 0 ? [] : [`${what} ended with ${exitCode}`]
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark)) continue
      problems.push(`${what} left ${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()}`)
    } catch {
      // Ended meanwhile, or of another user.
    }
  }
  return problems
}

interface Run {
  /** In the environment of all that it starts. */
  mark: string
  exitCode: number | null
  output: string
  seconds: number
}

async function run(command: string, args: string[], cwd: string, node?: string): Promise<Run> {
  const started = systemClock.now()
  const mark = `SCRATCH_RUN=${randomUUID()}`
  const path = node ? `${join(node, '..')}:${process.env.PATH}` : process.env.PATH
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, SCRATCH_RUN: mark.split('=')[1] },
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (exitCode !== 0) process.stderr.write(`${command} ${args.join(' ')}\n${output}${errors}\n`)
  return { mark, exitCode, output, seconds: (systemClock.now() - started) / 1000 }
}

await new Command('npm run scratch --')
  .description('Packs rollbed, installs it in eight new projects and runs their tests.')
  .requiredOption('--folder <dir>', 'where the projects are made')
  .option('--node <path...>', 'Node binaries to try', [process.execPath])
  .option(
    '--phase <phase>',
    'install, test or both',
    (phase) => {
      if (!['install', 'test', 'both'].includes(phase)) {
        throw new InvalidArgumentError('install, test or both')
      }
      return phase
    },
    'both',
  )
  .option('--only <name...>', 'of node1-npm-module, node1-npm-commonjs, node1-pnpm-…, node2-…')
  .option('--tarball <file>', 'one that is packed already')
  .option('--json', 'print one line of JSON')
  .action(main)
  .parseAsync()
