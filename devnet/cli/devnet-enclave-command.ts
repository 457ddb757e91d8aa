import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { availableIsolation, isolatedCommand } from '#devnet/proving/enclaves/isolation'
import { seccompFilter } from '#devnet/proving/enclaves/seccomp-filter'
import { parseChains } from '#devnet/proving/prover/chain-file'
import { type BuildImageOptions, buildImage } from '#enclave/image/build-image'
import { imageFiles } from '#enclave/image/image-files'
import { quoteWord } from '#suites/gate/conformance/index'

/** Stands for the folder that a command is run in; a shell fills it in. */
const HERE = '/folder of the enclave'

/**
 * The command that boots one more enclave in the folder it is run in, isolated as those of a devnet
 * are. Its image is built in `folder`; it knows no chain.
 *
 * @throws IsolationUnavailable
 */
export function devnetEnclaveCommand(folder: string): Promise<string> {
  return enclaveCommand(folder, { chains: [] })
}

/**
 * Likewise for an enclave in local mode (JRN-19). It knows the devnet's chain: only its journals show
 * the mode.
 *
 * @throws IsolationUnavailable
 * @throws RpcUnreachable when the devnet is gone
 */
export async function devnetLocalEnclaveCommand(
  devnet: DevnetDescription,
  folder: string,
): Promise<string> {
  const config = await httpRpcClient(devnet.rollupRpcUrl).request('optimism_rollupConfig', [])
  const chains = parseChains(JSON.stringify(config), devnet.rollupRpcUrl)
  return enclaveCommand(folder, { chains: chains.values(), local: true })
}

async function enclaveCommand(
  folder: string,
  image: Omit<BuildImageOptions, 'outDir'>,
): Promise<string> {
  const outDir = join(folder, 'image')
  const filter = join(folder, 'filter.bpf')
  await mkdir(folder, { recursive: true })
  await Promise.all([buildImage({ ...image, outDir }), writeFile(filter, seccompFilter())])
  const imageDir = join(HERE, 'image')
  const program = join(imageDir, imageFiles.program)
  const options = { nodeBinary: process.execPath, imageDir, program }
  const words = await isolatedCommand(await availableIsolation(), options)
  const run = words.map((word) => word.split(HERE).map(quoteWord).join('"$PWD"')).join(' ')
  const copy = `mkdir -p image && cp -r ${quoteWord(outDir)}/. image`
  // Descriptors 3 and 4, as bwrap wants them.
  return `${copy} && exec ${run} 3<${quoteWord(filter)} 4>/dev/null`
}
