import { mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { quoteWord, type Targets } from '#suites/gate/conformance/index'
import { ROLLUP_CONFIG_FILE } from './devnet-file.ts'
import { bundledProgram } from './up-program/is-fresh.ts'

const MAIN = join(import.meta.dirname, `main${extname(import.meta.filename)}`)

/** All that answers in a devnet, as the gate takes it. */
export function devnetTargets(devnet: DevnetDescription): Targets {
  const [enclave] = devnet.enclaves
  return {
    rpc: devnet.rpcUrl,
    ...(devnet.testnetRpcUrl && { rpcTestnet: devnet.testnetRpcUrl }),
    ...(devnet.plainRpcUrl && { rpcPlain: devnet.plainRpcUrl }),
    ws: devnet.wsUrl,
    api: devnet.apiUrl,
    l1: devnet.l1RpcUrl,
    l1Beacon: devnet.l1BeaconUrl,
    ...(devnet.proverUrl && {
      prover: devnet.proverUrl,
      teeVerifier: devnet.contracts.teeVerifier,
    }),
    ...(enclave && { enclave: enclave.endpoint }),
  }
}

/**
 * The command that starts one more prover host for a devnet's chain, whose config goes into a file
 * of `folder`.
 *
 * @throws RpcUnreachable when the devnet is gone
 */
export async function devnetHostCommand(
  devnet: DevnetDescription,
  folder: string,
): Promise<string> {
  const chains = join(folder, ROLLUP_CONFIG_FILE)
  const config = await httpRpcClient(devnet.rollupRpcUrl).request('optimism_rollupConfig', [])
  await mkdir(folder, { recursive: true })
  await writeFile(chains, `${JSON.stringify(config)}\n`)
  return [
    process.execPath,
    bundledProgram() ?? MAIN,
    'host',
    '--profile',
    devnet.profile,
    '--chains',
    chains,
  ]
    .map(quoteWord)
    .join(' ')
}
