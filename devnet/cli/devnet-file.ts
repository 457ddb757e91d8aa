import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RollbedError } from '../../enclave-sim/protocol/errors/rollbed-error.ts'
import type { DevnetDescription } from '../devnet-description.ts'
import { httpRpcClient } from '../json-rpc/http-rpc-client.ts'
import { makeFolder } from '../process/make-folder.ts'

const DIRECTORY = '.rollbed'
/** What `rollbed conform` writes beside the description, for the hosts and enclaves that it starts. */
export const ROLLUP_CONFIG_FILE = 'rollup.json'
export const ENCLAVE_FOLDER = 'enclave'
export const LOCAL_ENCLAVE_FOLDER = 'local-enclave'

/** Where `rollbed up` leaves its description for other commands started in the same folder. */
export function devnetFile(): string {
  return resolve(join(DIRECTORY, 'devnet.json'))
}

/** @returns what is in the file now */
export function writeDevnetFile(path: string, description: DevnetDescription): string {
  const text = `${JSON.stringify(description)}\n`
  makeFolder(resolve(path, '..'))
  writeFileSync(path, text, { mode: 0o600 })
  return text
}

/** Whether the devnet that a file describes still answers: then the file is not ours to replace. */
export async function describesRunning(path: string): Promise<boolean> {
  try {
    const { rpcUrl } = JSON.parse(readFileSync(path, 'utf8')) as DevnetDescription
    await httpRpcClient(rpcUrl).request('eth_chainId', [])
    return true
  } catch {
    return false
  }
}

/** Removes the file unless another devnet has replaced it meanwhile. */
export function removeDevnetFile(path: string, own: DevnetDescription): void {
  if (!existsSync(path) || readFileSync(path, 'utf8').trim() !== JSON.stringify(own)) return
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
