import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { ensureChromium } from '#suites/gate/report-page/install-chromium'
import { ROOT } from '../docs/source-tree.ts'
import { scratchFiles, WORKER_FILE } from './scratch-files.ts'
import { typeCheckExamples, writeExamples } from './type-check-examples.ts'

const run = promisify(execFile)

interface VersionSet {
  name: string
  /** Packages with the versions that npm is asked for. */
  packages: Record<string, string>
}

/** What the manifest says may stand beside rollbed, by package. */
const { peerDependencies, engines } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as { peerDependencies: Record<string, string>; engines: { node: string } }
const oldest = (name: string) => /^(?:>=|\^)(\S+)/.exec(peerDependencies[name]!)![1]!
const newest = (name: string) => peerDependencies[name]!

/**
 * Whom our ranges let in: the oldest of all, the majors between, and the newest that npm has today. The
 * newest Node has to be new enough for devnets, and is one of a package, so that none need be installed.
 */
const VERSION_SETS: readonly VersionSet[] = [
  {
    name: 'oldest',
    packages: {
      viem: oldest('viem'),
      vitest: oldest('vitest'),
      '@playwright/test': oldest('@playwright/test'),
      '@modelcontextprotocol/sdk': oldest('@modelcontextprotocol/sdk'),
      msw: oldest('msw'),
      typescript: '5',
      node: '24',
    },
  },
  {
    name: 'between',
    packages: {
      viem: newest('viem'),
      vitest: '4',
      '@playwright/test': newest('@playwright/test'),
      '@modelcontextprotocol/sdk': newest('@modelcontextprotocol/sdk'),
      msw: newest('msw'),
      typescript: '6',
      node: '24',
    },
  },
  {
    name: 'newest',
    packages: {
      viem: newest('viem'),
      vitest: newest('vitest'),
      '@playwright/test': newest('@playwright/test'),
      '@modelcontextprotocol/sdk': newest('@modelcontextprotocol/sdk'),
      msw: newest('msw'),
      typescript: 'latest',
      node: engines.node,
    },
  },
]

/** Examples that run by themselves, with a devnet and `show` given; the others are tests, or need actors. */
const RUNS_ALONE = /^(README|quick-start|viem|branches|journal|msw)-\d+\.ts$/

async function main({
  only,
  tarball,
  keep,
}: {
  only?: string[]
  tarball?: string
  keep?: boolean
}) {
  const folder = mkdtempSync(join(tmpdir(), 'rollbed-newest-'))
  try {
    const packed = tarball ?? (await pack(folder))
    for (const set of VERSION_SETS.filter(({ name }) => only?.includes(name) ?? true)) {
      const problems = await tryVersions(set, join(folder, set.name), packed)
      const said = problems.length === 0 ? 'passed' : `\n  ${problems.join('\n  ')}`
      process.stdout.write(`${set.name} (${versions(join(folder, set.name), set)}): ${said}\n`)
      if (problems.length > 0) process.exitCode = 1
    }
  } finally {
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
}

async function pack(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: ROOT,
  })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

/** Installs, compiles, runs the examples, and the tests of a user's first hour. Returns what went wrong. */
async function tryVersions(set: VersionSet, folder: string, tarball: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const wanted = Object.entries(set.packages).map(([name, version]) => `${name}@${version}`)
  const install = ['install', '--no-audit', '--no-fund', tarball, ...wanted, '@types/node@24']
  await run('npm', install, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  const problems: string[] = []
  const examples = writeExamples(folder)
  const typescript = join(folder, 'node_modules', 'typescript')
  for (const skipLibCheck of [true, false]) {
    problems.push(...(await typeCheckExamples({ folder, typescript, skipLibCheck })))
  }
  const node = join(folder, 'node_modules', 'node', 'bin', 'node')
  const script = join(folder, 'run-examples.mjs')
  writeFileSync(script, runExamples(examples.filter((name) => RUNS_ALONE.test(name))))
  problems.push(...(await linesOf('an example', node, [script], folder)))
  const tests = { ...scratchFiles('module'), 'worker.test.js': WORKER_FILE }
  for (const [file, text] of Object.entries(tests)) writeFileSync(join(folder, file), text)
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  problems.push(...(await linesOf('vitest', node, [vitest, 'run'], folder)))
  const playwright = join(folder, 'node_modules', '@playwright/test', 'cli.js')
  problems.push(...(await linesOf('Playwright', node, [playwright, 'test'], folder)))
  const agent = join(folder, 'agent.mjs')
  writeFileSync(agent, AGENT)
  problems.push(...(await linesOf('an agent', node, [agent], folder)))
  return problems
}

/** README's devnet is at the usual port: its address is replaced, as there may be one already. */
const runExamples = (
  names: readonly string[],
) => `import { readFileSync, writeFileSync } from 'node:fs'
import { startDevnet } from 'rollbed'

globalThis.devnet = await startDevnet({ enclaves: 0 })
console.log = () => {}
try {
  for (const name of ${JSON.stringify(names)}) {
    const file = new URL('./examples/' + name, import.meta.url)
    const code = readFileSync(file, 'utf8')
    writeFileSync(file, code.replaceAll('http://127.0.0.1:8545', devnet.description.rpcUrl))
    await import(file.href).catch((error) => {
      process.exitCode = 1
      console.error(name, error)
    })
  }
} finally {
  await devnet.stop()
  // An example may leave its connection open.
  process.exit()
}
`

/** What an agent's program does first, by the client of the same SDK. */
const AGENT = `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const agent = new Client({ name: 'newcomer', version: '1' })
const { env } = process
await agent.connect(new StdioClientTransport({ command: 'node_modules/.bin/rollbed', args: ['mcp'], env }))
const { tools } = await agent.listTools()
const { required } = tools.find(({ name }) => name === 'read').inputSchema
if (!required.includes('address')) throw new Error('An agent is not told what to give.')
const address = '0x000000000000000000000000000000000000bEEF'
for (const [name, given] of Object.entries({ start: {}, read: { address }, stop: {} })) {
  const { isError, content } = await agent.callTool({ name, arguments: given })
  if (isError) throw new Error(name + ': ' + content[0].text)
}
await agent.close()
`

/** More than any of them takes on a busy machine; an old one of others hangs without a word. */
const LONGEST_MS = 180_000

async function linesOf(
  what: string,
  command: string,
  args: string[],
  cwd: string,
): Promise<string[]> {
  const path = `${join(cwd, 'node_modules', 'node', 'bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, CHROMIUM: await ensureChromium() }
  const child = spawn(command, args, { cwd, env, timeout: LONGEST_MS })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  const [exitCode, signal] = await once(child, 'close')
  return exitCode === 0 ? [] : [`${what} ended with ${exitCode ?? signal}: ${said.slice(-2_000)}`]
}

function versions(folder: string, { packages }: VersionSet): string {
  return Object.keys(packages)
    .map((name) => {
      const manifest = join(folder, 'node_modules', name, 'package.json')
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
      return `${name} ${version}`
    })
    .join(', ')
}

await new Command('npm run newest --')
  .description(
    'Packs rollbed and tries it beside the oldest and the newest of what may stand beside it.',
  )
  .option('--only <set...>', `of ${VERSION_SETS.map(({ name }) => name).join(', ')}`)
  .option('--tarball <file>', 'one that is packed already')
  .option('--keep', 'leave the projects where they are')
  .action(main)
  .parseAsync()
