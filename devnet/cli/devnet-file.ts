import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { RollbedError } from '../../enclave-sim/errors/rollbed-error.ts'
import type { DevnetDescription } from '../config.ts'

const DIRECTORY = '.rollbed'

/** Where `rollbed up` leaves its description for other commands started in the same folder. */
export function devnetFile(): string {
  return resolve(join(DIRECTORY, 'devnet.json'))
}

export async function writeDevnetFile(path: string, description: DevnetDescription): Promise<void> {
  await mkdir(resolve(path, '..'), { recursive: true })
  await writeFile(path, `${JSON.stringify(description)}\n`, { mode: 0o600 })
}

/** Removes the file unless another devnet has replaced it meanwhile. */
export async function removeDevnetFile(path: string, own: DevnetDescription): Promise<void> {
  const current = await readFile(path, 'utf8').catch(() => undefined)
  if (current?.trim() !== JSON.stringify(own)) return
  await rm(path, { force: true })
  if (path === devnetFile()) await rmdir(resolve(DIRECTORY)).catch(() => {})
}

/** @throws RollbedError NO_DEVNET when no devnet was started in this folder. */
export async function readDevnetFile(): Promise<DevnetDescription> {
  try {
    return JSON.parse(await readFile(devnetFile(), 'utf8'))
  } catch (cause) {
    throw new RollbedError('NO_DEVNET', `No running devnet is described in ${devnetFile()}.`, {
      hint: "Start one here with 'rollbed up', or give the URLs.",
      cause,
    })
  }
}
