import { readFileSync } from 'node:fs'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { readDevnetFile } from './devnet-file.ts'
import { UsageError } from './usage-error.ts'

/** What `--config` says in every help. */
export const CONFIG_HELP = "the devnet's description; default that of this folder"

/**
 * The devnet of `--config FILE`, or the one that was started in this folder.
 * @throws UsageError when the file describes none
 * @throws RollbedError NO_DEVNET
 */
export function describedDevnet(file: string | undefined): DevnetDescription {
  if (!file) return readDevnetFile()
  try {
    const description = JSON.parse(readFileSync(file, 'utf8')) as DevnetDescription
    if (!description.l1RpcUrl || !description.contracts) throw new TypeError('no description')
    return description
  } catch {
    throw new UsageError(`--config must be a file of 'rollbed up --config-out', not '${file}'.`)
  }
}
