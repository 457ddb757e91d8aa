import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { DEFAULT_PORT_BASE, portsFrom } from '#devnet/base/ports'
import { isNewEnough, LEAST_NODE } from '#devnet/base/process/least-node'
import { anvilBinary } from '#devnet/l1/anvil-binary'
import { closedAddress, isClosed } from '#devnet/l1/closed-address'
import { availableIsolation, isIsolated } from '#devnet/proving/enclaves/isolation'
import { vmRequirements } from '#devnet/proving/enclaves/vm/vm-requirements'
import type { RollbedError } from '#protocol/errors/rollbed-error'
import { addCommand } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on } from './flags.ts'
import { jsonOf } from './json-of.ts'
import type { Finding } from './json-outputs.ts'

const JSON_FLAG = { json: on('print the findings as JSON') }
const run = promisify(execFile)

/** `rollbed doctor`: what this machine has of what the devnet wants. */
export function addDoctorCommand(program: Command, finish: (exitCode: number) => void): void {
  addCommand(program, {
    name: 'doctor',
    says: 'Check this machine; exit 3 when the devnet could not start here.',
    flags: JSON_FLAG,
    examples: ['rollbed doctor', 'rollbed doctor --json'],
  }).action(async (flags: FlagsOf<typeof JSON_FLAG>) => {
    const findings = await examine()
    console.log(flags.json ? jsonOf('doctor', findings) : findings.map(line).join('\n'))
    const sick = findings.some(({ ok, required }) => required && !ok)
    finish(sick ? ExitCode.environment : ExitCode.ok)
  })
}

async function examine(): Promise<Finding[]> {
  const beside = [anvilPort(), sqlite(), isolation(), ports()]
  const findings = await Promise.all([nodeVersion(), anvil(), ...beside])
  return [...findings, ...machines()]
}

function nodeVersion(): Finding {
  const ok = isNewEnough(process.versions.node)
  const detail = ok ? process.version : `${process.version}; rollbed needs ${LEAST_NODE} or newer`
  return { check: 'Node.js', ok, detail, required: true }
}

async function anvil(): Promise<Finding> {
  const base = { check: 'anvil', required: true }
  try {
    const { stdout } = await run(anvilBinary(), ['--version'])
    return { ...base, ok: true, detail: stdout.split('\n')[0]! }
  } catch (error) {
    const { code, message } = error as RollbedError
    const missing = "not installed for this machine; run 'npm ci'"
    return { ...base, ok: false, detail: code === 'ANVIL_NOT_GENUINE' ? message : missing }
  }
}

async function anvilPort(): Promise<Finding> {
  const ok = isClosed(await closedAddress())
  const detail = ok
    ? 'nobody can connect to it; the devnet uses a UNIX socket'
    : 'this system cannot close it: other users of this machine, and pages by WebSocket, may find it (access.md)'
  return { check: "anvil's TCP port", ok, detail, required: false }
}

async function sqlite(): Promise<Finding> {
  const base = { check: 'SQLite', required: true }
  try {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    const row = database.prepare('SELECT sqlite_version() AS version').get()
    database.close()
    return { ...base, ok: true, detail: String(row?.version) }
  } catch {
    return { ...base, ok: false, detail: 'this Node.js was built without it' }
  }
}

async function isolation(): Promise<Finding> {
  const strongest = await availableIsolation()
  const ok = isIsolated(strongest)
  const detail = ok
    ? `enclaves start without a network (${strongest}; bwrap, from bubblewrap, is the strongest)`
    : 'enclaves cannot be cut off the network: install bubblewrap, or allow user namespaces; `up --insecure-no-netns` and `up --enclaves none` start all the same'
  return { check: 'enclave isolation', ok, detail, required: true }
}

/** What `up --enclaves vm` wants. */
function machines(): Finding[] {
  return vmRequirements().map(({ name, found, advice }) => ({
    check: `vm: ${name}`,
    ok: found !== undefined,
    detail: found ?? `for --enclaves vm, ${advice}`,
    required: false,
  }))
}

async function ports(): Promise<Finding> {
  const wanted = Object.values(portsFrom(DEFAULT_PORT_BASE))
  const busy = []
  for (const port of wanted) if (!(await isFree(port))) busy.push(port)
  const ok = busy.length === 0
  const detail = ok
    ? `${wanted.join(', ')} are free`
    : `${busy.join(', ')} in use; choose others with --port-base`
  return { check: 'default ports', ok, detail, required: false }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function line({ check, ok, required, detail }: Finding): string {
  const mark = ok ? 'ok     ' : required ? 'missing' : 'note   '
  return `${mark}  ${check.padEnd(24)}${detail}`
}
