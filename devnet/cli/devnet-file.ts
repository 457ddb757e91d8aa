import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { makeFolder } from '#devnet/base/process/make-folder'
import { sweepWith } from '#devnet/base/process/run-folder'
import { isOldMarker, isStateFile, STATE_FILES } from '#devnet/rollup/start/state-files'
import type { Devnet } from '#devnet/start-devnet'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { UsageError } from './usage-error.ts'

const DIRECTORY = '.rollbed'
/** What `rollbed conform` writes beside the description, for the hosts and enclaves that it starts. */
export const ROLLUP_CONFIG_FILE = 'rollup.json'
export const ENCLAVE_FOLDER = 'enclave'
export const LOCAL_ENCLAVE_FOLDER = 'local-enclave'

/** Where `rollbed up` leaves its description for other commands started in the same folder. */
export function devnetFile(): string {
  return resolve(join(DIRECTORY, 'devnet.json'))
}

/**
 * Describes a devnet in a file for as long as it runs, and each time that it changes. The file stays
 * whole for readers. What another devnet wrote there meanwhile is left alone. A device or a pipe is
 * written to once, and is neither replaced nor removed.
 *
 * @returns how to end that, which removes the file
 * @throws UsageError where the file is not one to replace
 */
export function keepDevnetFile(
  path: string,
  devnet: Pick<Devnet, 'description' | 'workDir' | 'onChange'>,
): () => void {
  if (isForeign(path)) {
    writeFileSync(path, `${JSON.stringify(devnet.description)}\n`)
    return () => {}
  }
  requireReplaceable(path)
  let own = ''
  const write = () => {
    own = writeDevnetFile(path, devnet.description)
    sweepWith(devnet.workDir, path, own)
  }
  const isOwn = () => existsSync(path) && readFileSync(path, 'utf8') === own
  const removeOwn = () => {
    if (isOwn()) removeDevnetFile(path)
  }
  write()
  // A second Ctrl-C ends the process without a stop; what describes nothing would mislead who comes next.
  process.once('exit', removeOwn)
  const forget = devnet.onChange(() => {
    try {
      if (isOwn()) write()
    } catch (error) {
      console.error(`${path} does not say what changed: ${(error as Error).message}.`)
    }
  })
  return () => {
    forget()
    process.off('exit', removeOwn)
    removeOwn()
  }
}

/**
 * Refuses a place where something stands that no devnet was described in, such as what is kept of one.
 * @throws UsageError
 */
export function requireReplaceable(path: string): void {
  if (!isStateFile(path) && isReplaceable(path)) return
  throw new UsageError(
    `${path} is no description of a devnet, or has the name of a file of --state: none is written there.`,
    'It was left as it is. Name another file by --config-out, or move this one away if no devnet needs it.',
  )
}

function isReplaceable(path: string): boolean {
  if (!existsSync(path) || isForeign(path)) return true
  const text = readFileSync(path, 'utf8')
  // The marker of an earlier version is needed until its folder was taken over.
  const isSpent = isOldMarker(text) && existsSync(join(dirname(path), STATE_FILES.settings))
  return isSpent || isDescription(text)
}

/** Or nothing yet, as mktemp(1) makes it. */
function isDescription(text: string): boolean {
  try {
    return text === '' || typeof JSON.parse(text).rpcUrl === 'string'
  } catch {
    return false
  }
}

/** Something stands there that is no file of ours: a device such as /dev/stdout, or a pipe. */
function isForeign(path: string): boolean {
  return existsSync(path) && !statSync(path).isFile()
}

/** @returns what is in the file now */
export function writeDevnetFile(path: string, description: DevnetDescription): string {
  const text = `${JSON.stringify(description)}\n`
  makeFolder(resolve(path, '..'))
  const whole = `${path}.${process.pid}`
  writeFileSync(whole, text, { mode: 0o600 })
  renameSync(whole, path)
  return text
}

/** One that is there answers at once, also under load. */
const ANSWERS_WITHIN = 10_000

/**
 * Whether another devnet that a file describes still answers: then the file is not ours to replace.
 * @param own URL of the one that was just started, which may have the ports of one that is gone
 */
export async function describesRunning(
  path: string,
  own?: string,
  clock: Clock = systemClock,
): Promise<boolean> {
  const silence = new AbortController()
  const timer = clock.after(ANSWERS_WITHIN, () => silence.abort())
  try {
    const { rpcUrl } = JSON.parse(readFileSync(path, 'utf8')) as DevnetDescription
    if (rpcUrl === own) return false
    await httpRpcClient(rpcUrl).request('eth_chainId', [], silence.signal)
    return true
  } catch {
    return false
  } finally {
    timer.cancel()
  }
}

/**
 * Describes a devnet to commands that are started in this folder, unless another one runs here: then it says so.
 * @returns how to end that
 * @throws UsageError where the file is not one to replace
 */
export async function keepFolderFile(
  devnet: Pick<Devnet, 'description' | 'workDir' | 'onChange'>,
): Promise<() => void> {
  if (!(await describesRunning(devnetFile(), devnet.description.rpcUrl)))
    return keepDevnetFile(devnetFile(), devnet)
  console.error(
    'Another devnet runs in this folder; commands started here go on using it. Give them the URLs of this one, or start it with --config-out in a folder of its own.',
  )
  return () => {}
}

function removeDevnetFile(path: string): void {
  rmSync(path)
  if (path !== devnetFile()) return
  for (const name of [ROLLUP_CONFIG_FILE, ENCLAVE_FOLDER, LOCAL_ENCLAVE_FOLDER])
    rmSync(join(DIRECTORY, name), { recursive: true, force: true })
  if (readdirSync(DIRECTORY).length === 0) rmdirSync(DIRECTORY)
}

/** @throws RollbedError NO_DEVNET when no devnet was started in this folder. */
export function readDevnetFile(): DevnetDescription {
  try {
    return JSON.parse(readFileSync(devnetFile(), 'utf8'))
  } catch (cause) {
    throw new RollbedError('NO_DEVNET', `No running devnet is described in ${devnetFile()}.`, {
      hint: "Start one here with 'rollbed up', or give the URLs.",
      cause,
    })
  }
}
