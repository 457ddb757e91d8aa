import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lane } from '#suites/lane'
import { buildPackage } from './build-package.ts'
import { installWeight } from './install-weight.ts'
import { typeCheckExamples, writeExamples } from './type-check-examples.ts'

const run = promisify(execFile)
/** Bytes are said as `0x…`, whatever their name. */
const OWN_WORDS = new Set(['Address', 'Hash', 'Hex'])
const ROOT = join(import.meta.dirname, '..', '..', '..')
const judges = lane('package')
const judged = test.skipIf(!judges.isInstalled)
let project: string
let installed: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'rollbed-package-'))
  installed = join(project, 'node_modules', 'rollbed')
  await buildPackage(join(installed, 'dist'))
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const others = files.filter((name: string) => name !== 'dist')
  for (const file of ['package.json', 'README.md', 'LICENSE', ...globSync(others, { cwd: ROOT })]) {
    mkdirSync(dirname(join(installed, file)), { recursive: true })
    cpSync(join(ROOT, file), join(installed, file), { recursive: true })
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** The package of an import that stands at the beginning of a line, as tsc and esbuild write them. */
const BARE_IMPORT =
  /(?:^|;)(?:import|export|\})[^'";\n]*?from ?['"]((?:@[\w-]+\/)?[\w:-][\w:.-]*)/gm
/** They bundle what the package has bundled. */
const IN_A_CHECKOUT = new Set(['esbuild'])
/** The text of a project, whose own package.json names what it imports. */
const WRITTEN_BY_INIT = 'devnet/cli/next-files.js'

/** A module that prints what a process has loaded to its standard error, when it ends. */
const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
  process.on('exit', () => process.stderr.write(loaded.join('\\n')))
`)}`

test('given the installed package, then it starts a devnet with an enclave, from one program, and stops', async () => {
  const env = { ...process.env, NODE_OPTIONS: `--import ${LOADED}` }
  const child = spawn(
    join(installed, 'devnet/cli/rollbed.sh'),
    ['up', '--json', '--port-base', '0'],
    {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const said = text(child.stderr)
  const [line] = await once(child.stdout, 'data')
  expect(JSON.parse(line)).toMatchObject({ chainId: 84538453, enclaves: [{ kind: 'sim' }] })
  child.kill('SIGINT')
  const [exitCode] = await once(child, 'exit')
  expect(exitCode, await said).toBe(0)
  const loaded = await said
  // What it has in it is not looked for in the packages.
  expect(loaded).toContain('/up-program/start-up.mjs')
  expect(loaded).not.toMatch(/node_modules\/(viem|fastify|zod|@fastify|ajv)\//)
  expect(loaded).not.toContain('/dist/devnet/l2/node/')
})

test('given the proposer and challenger to start from, then they are there as they were written', () => {
  for (const name of ['own-proposer.ts', 'own-challenger.ts']) {
    const packed = readFileSync(join(installed, 'devnet/docs', name), 'utf8')
    expect(packed).toBe(readFileSync(join(ROOT, 'devnet/docs', name), 'utf8'))
  }
})

test('given `import from rollbed`, then startDevnet is there', async () => {
  const script = "import { startDevnet } from 'rollbed'; console.log(typeof startDevnet)"
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  expect(String(line).trim()).toBe('function')
  await once(child, 'exit')
})

test('given what the package is made of, then it tells it: licences with their texts, and a bill of materials', () => {
  const notices = readFileSync(join(installed, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  expect(notices).toMatch(/^@ethereumjs\/evm 10\.1\.3 \(MPL-2\.0\)$/m)
  expect(notices).toContain('Mozilla Public License Version 2.0')
  const bill = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8'))
  expect(bill.bomFormat).toBe('CycloneDX')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const listed = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  for (const name of Object.keys(dependencies))
    expect(listed).toContain(`pkg:npm/${name}@${packages[`node_modules/${name}`].version}`)
})

test('given viem beside it, then what needs another major of its cryptography is in the bundle', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: object; dev?: boolean; inBundle?: boolean }>
  }
  const nobleOf = (name: string) =>
    Object.entries(packages[name]?.dependencies ?? {}).flatMap(([dependency, range]) =>
      dependency.startsWith('@noble/') ? [`${/\d+/.exec(range)}`] : [],
    )
  const [major] = nobleOf('node_modules/viem')
  // Outside of it they would take the place that all of viem's packages share, and each would get its own.
  const inTheWay = Object.keys(packages).filter((name) => {
    const { dev, inBundle } = packages[name]!
    return name !== '' && !dev && !inBundle && nobleOf(name).some((each) => each !== major)
  })
  expect([major, inTheWay]).toEqual(['1', []])
  const { bundleDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(packages['node_modules/@noble/curves']?.inBundle).toBe(true)
  expect(bundleDependencies).toContain('@noble/curves')
})

test('given viem beside it, then it adds at most 100 MB', () => {
  const { total, heaviest } = installWeight(installed)
  // anvil is 44 of them.
  expect(heaviest[0]![0]).toMatch(/anvil-/)
  expect(total, JSON.stringify(heaviest)).toBeLessThanOrEqual(100e6)
})

describe('given the packed package', () => {
  test('then each package that its modules import comes with it', () => {
    const { name, dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    // A package is there for itself; what `rollbed init` writes imports it.
    const present = [name, ...Object.keys({ ...dependencies, ...peerDependencies })]
    const dist = join(installed, 'dist')
    const files = globSync('**/*.js', { cwd: dist })
    expect(files).toContain(WRITTEN_BY_INIT)
    const modules = files.filter((file) => file !== WRITTEN_BY_INIT)
    const missing = modules.flatMap((file) =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(BARE_IMPORT)]
        .map(([, name]) => name!)
        .filter((name) => !present.includes(name) && !isBuiltin(name) && !IN_A_CHECKOUT.has(name))
        .map((name) => `${file}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('then neither its modules nor its types ask for the zod that it has in it', () => {
    const dist = join(installed, 'dist')
    const asking = globSync('**/*.{js,d.ts}', { cwd: dist }).filter((file) =>
      /\bfrom ['"]zod['"]/.test(readFileSync(join(dist, file), 'utf8')),
    )
    expect(asking).toEqual([])
    const { imports } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'))
    for (const place of Object.values<string>(imports['#zod']))
      expect(existsSync(join(dist, place)), place).toBe(true)
  })

  test('then publint finds nothing to say', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false })
    // Node and TypeScript take the map of a module's nearest package.json; the other tests here run on it.
    const ownMap = 'NESTED_PACKAGE_JSON_FIELD_IGNORED'
    expect(messages.filter(({ code }) => code !== ownMap)).toEqual([])
  })

  judged(
    'then attw finds the types of every entry, for ES modules and for require of them',
    async () => {
      // What of the package types are resolved from; npm would pack all of it, in as long as this test takes.
      const tarball = join(project, 'types.tgz')
      await run('tar', ['-czf', tarball, 'rollbed/package.json', 'rollbed/dist'], {
        cwd: dirname(installed),
      })
      const attw = judges.file('.bin/attw')
      const args = ['--profile', 'esm-only', '--format', 'json', tarball]
      const { stdout } = await run(attw, args, { maxBuffer: 64 * 1024 * 1024 })
      // It would have ended with 1 where an entry has a problem.
      const { analysis } = JSON.parse(stdout)
      expect(Object.keys(analysis.entrypoints)).toContain('./conform')
    },
  )

  test('then the declarations in it are those that its entries lead to', async () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const entries = Object.values<{ types?: string }>(exports).flatMap(({ types }) => types ?? [])
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
    const args = ['--listFilesOnly', '--module', 'nodenext', '--types', 'node', ...entries]
    const { stdout } = await run(tsc, args, { cwd: installed, maxBuffer: 64 * 1024 * 1024 })
    const dist = join(realpathSync(installed), 'dist')
    const read = stdout.split('\n').filter((file) => file.startsWith(dist))
    expect(read.length).toBeGreaterThan(entries.length)
    const packed = globSync('**/*.d.ts', { cwd: dist }).map((file) => join(dist, file))
    expect(packed.sort()).toEqual(read.filter((file) => file.endsWith('.d.ts')).sort())
  })

  // The one that we are built with; where the lane is, the oldest that we allow and a newer one too.
  test.each(['viem', ...(judges.isInstalled ? ['viem-oldest', 'viem-newest'] : [])])(
    'when %s is beside it, then every example of the pages compiles, the declarations of both too',
    async (viem) => {
      const link = join(project, 'node_modules', 'viem')
      const own = join(ROOT, 'node_modules', 'viem')
      const linkTo = (name: string) => {
        rmSync(link)
        symlinkSync(name === 'viem' ? own : judges.file(name), link)
      }
      expect(writeExamples(project)).toContain('viem-1.ts')
      const typescript = join(ROOT, 'node_modules', 'typescript')
      linkTo(viem)
      // Four threads would each check what all share.
      const flags = ['--singleThreaded']
      const options = { folder: project, typescript, skipLibCheck: false, flags }
      const problems = await typeCheckExamples(options).finally(() => linkTo('viem'))
      expect(problems).toEqual([])
    },
  )

  test('then viem-oldest is the oldest that may stand beside it', () => {
    const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
    const { peerDependencies } = json(join(installed, 'package.json'))
    const { dependencies } = json(join(judges.folder, 'package.json'))
    const [, oldest] = /^>=(\S+)/.exec(peerDependencies.viem)!
    expect(dependencies['viem-oldest']).toBe(`npm:viem@${oldest}`)
  })

  test('then each file that README and the pages lead to is in it', () => {
    const pages = ['README.md', ...globSync('{devnet/docs,reports}/*.md', { cwd: installed })]
    expect(pages.length).toBeGreaterThan(10)
    const missing = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), 'utf8')
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link!)
      const named = [...text.matchAll(/`(suites\/[\w./-]+\.yaml)`/g)].map(([, file]) => file!)
      return [...links.map((link) => join(dirname(page), link)), ...named].filter(
        (file) => !existsSync(join(installed, file)),
      )
    })
    expect(missing).toEqual([])
  })

  test('then every type that a signature of the public face names is exported', () => {
    const types = join(installed, 'dist', 'devnet')
    const read = (file: string) => readFileSync(join(types, file), 'utf8')
    const index = read('index.d.ts')
    const exported = new Set(
      [...index.matchAll(/export (?:type )?\{([^}]+)\}/g)]
        .flatMap(([, names]) => names!.split(','))
        .map((name) =>
          name
            .replace(/^\s*type /, '')
            .split(' as ')
            .at(-1)!
            .trim(),
        ),
    )
    // What these files import as types, they name in signatures.
    const faces = [
      'start-devnet-lazily.d.ts',
      'start-devnet.d.ts',
      'base/options/devnet-options.d.ts',
      'base/options/devnet-description.d.ts',
    ]
    const named = faces.flatMap((file) =>
      [...read(file).matchAll(/import (?:type )?\{([^}]+)\} from '[.#][^']+'/g)]
        .flatMap(([, names]) => names!.split(','))
        .map((name) => name.replace(/^\s*type /, '').trim()),
    )
    expect(named).toContain('LogLevel')
    const missing = named.filter((name) => !exported.has(name) && !OWN_WORDS.has(name))
    expect(missing).toEqual([])
  })

  test('when CommonJS requires it, then it can, and the first import loads next to nothing', async () => {
    const script = `const { startDevnet, VirtualClock, RollbedError } = require('rollbed')
      const { runConformance } = require('rollbed/conform')
      console.log(typeof startDevnet, typeof VirtualClock, typeof RollbedError, typeof runConformance)`
    const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', script], {
      cwd: project,
    })
    expect(stdout.trim()).toBe('function function function function')
  })

  test('then BAD_DRIVER names a driver to copy that is there', async () => {
    const sh = join(installed, 'devnet/cli/rollbed.sh')
    const none = join(project, 'none.ts')
    // The driver is only looked for where something answers.
    const target = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    await once(target, 'listening')
    const { port } = target.address() as AddressInfo
    const args = ['conform', '--rpc', `http://127.0.0.1:${port}`, '--driver', none]
    const { stderr } = await run(sh, args, { cwd: project })
      .catch((error) => error)
      .finally(() => target.close())
    const [, file] = /as that of (\S+own-driver\.js)\./.exec(stderr) ?? []
    expect(file && existsSync(file), stderr).toBe(true)
  })
})
