import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage } from './build-package.ts'

const ROOT = join(import.meta.dirname, '..', '..')
let project: string
let installed: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'rollbed-package-'))
  installed = join(project, 'node_modules', 'rollbed')
  await buildPackage(join(installed, 'dist'))
  mkdirSync(join(installed, 'devnet', 'cli'), { recursive: true })
  for (const file of ['package.json', 'devnet/cli/rollbed.sh']) {
    cpSync(join(ROOT, file), join(installed, file))
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('the installed package starts a devnet with an enclave, and stops', async () => {
  const child = spawn(
    join(installed, 'devnet/cli/rollbed.sh'),
    ['up', '--json', '--port-base', '0'],
    {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = await once(child.stdout, 'data')
  expect(JSON.parse(line)).toMatchObject({ chainId: 84538453, enclaves: [{ kind: 'sim' }] })
  child.kill('SIGINT')
  const [exitCode] = await once(child, 'exit')
  expect(exitCode).toBe(0)
})

test('the proposer and challenger to start from are there as they were written', () => {
  for (const name of ['own-proposer.ts', 'own-challenger.ts']) {
    const packed = readFileSync(join(installed, 'dist/devnet/docs', name), 'utf8')
    expect(packed).toBe(readFileSync(join(ROOT, 'devnet/docs', name), 'utf8'))
  }
})

test('`import from rollbed` gives startDevnet', async () => {
  const script = "import { startDevnet } from 'rollbed'; console.log(typeof startDevnet)"
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  expect(String(line).trim()).toBe('function')
  await once(child, 'exit')
})

test('the package tells what it is made of: licences with their texts, and a bill of materials', () => {
  const notices = readFileSync(join(installed, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  expect(notices).toMatch(/^@ethereumjs\/evm 10\.1\.3 \(MPL-2\.0\)$/m)
  expect(notices).toContain('Mozilla Public License Version 2.0')
  const bill = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8'))
  expect(bill.bomFormat).toBe('CycloneDX')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const listed = bill.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  for (const [name, version] of Object.entries(dependencies))
    expect(listed).toContain(`pkg:npm/${name}@${version}`)
})
