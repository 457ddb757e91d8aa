import { readFile } from 'node:fs/promises'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { askerOf } from '#devnet/rollup/start/asker-of'
import {
  type BranchBlock,
  type BranchOptions,
  type DevnetBranch,
  openBranch,
} from '#devnet/rollup/start/open-branch'
import { RollbedError } from '#protocol/errors/rollbed-error'

/** A devnet that somebody else started. */
export interface ConnectedDevnet {
  readonly description: DevnetDescription
  /** @see Devnet.branch */
  branch(block?: BranchBlock, options?: BranchOptions): Promise<DevnetBranch>
}

/**
 * Finds a devnet that runs: by its RPC URL, or by the file that `rollbed up --config-out` wrote.
 *
 * @param urlOrFile default: the file of the devnet that was started in this folder
 * @throws RollbedError DEVNET_UNREACHABLE, DEVNET_REFUSED, DESCRIPTION_UNREADABLE
 * @example
 * import { connectDevnet } from 'rollbed'
 *
 * const { description } = await connectDevnet(devnet.description.rpcUrl)
 * console.log(description.accounts[0].address)
 */
export async function connectDevnet(urlOrFile = '.rollbed/devnet.json'): Promise<ConnectedDevnet> {
  const rpcUrl = /^https?:/.test(urlOrFile) ? urlOrFile : await rpcUrlIn(urlOrFile)
  const ask = askerOf(rpcUrl)
  const description = (await ask('rollbed_description', [])) as DevnetDescription
  return { description, branch: (block, options) => openBranch(ask, block, options) }
}

async function rpcUrlIn(file: string): Promise<string> {
  try {
    const { rpcUrl } = JSON.parse(await readFile(file, 'utf8')) as Partial<DevnetDescription>
    if (typeof rpcUrl === 'string') return rpcUrl
  } catch (cause) {
    throw unreadable(file, cause)
  }
  throw unreadable(file)
}

function unreadable(file: string, cause?: unknown): RollbedError {
  return new RollbedError('DESCRIPTION_UNREADABLE', `${file} describes no devnet.`, {
    cause,
    hint: 'It is the file of `rollbed up --config-out FILE`; .rollbed/devnet.json is written where a devnet was started.',
  })
}
