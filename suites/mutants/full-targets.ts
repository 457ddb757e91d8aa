import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevnetDescription } from '../../devnet/index.ts'
import type { Clock } from '../../enclave-sim/clock/clock.ts'
import { startPlainEndpoint } from '../../mocks/index.ts'
import type { Targets } from '../conformance/index.ts'
import { targetsOf } from './targets-of.ts'

const MAIN = fileURLToPath(new URL('../../devnet/cli/main.ts', import.meta.url))

/** Everything the gate can judge, around one devnet. */
export async function startFullTargets(
  devnet: DevnetDescription,
  clock: Clock,
): Promise<{ targets: Targets; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-targets-'))
  const chains = join(folder, 'rollup.json')
  await writeFile(chains, JSON.stringify(await rollupConfig(devnet.rollupRpcUrl)))
  const plain = await startPlainEndpoint({ target: devnet.rpcUrl, clock })
  return {
    targets: {
      ...targetsOf(devnet),
      // Any endpoint with pre-confirmations may be configured as the test network.
      rpcTestnet: devnet.rpcUrl,
      rpcPlain: plain.url,
      l1Beacon: devnet.l1BeaconUrl,
      host: `${process.execPath} ${MAIN} host --chains ${chains}`,
    },
    stop: async () => {
      await plain.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The devnet's chain as a host takes it with `--chains`. */
async function rollupConfig(url: string): Promise<unknown> {
  const body = { jsonrpc: '2.0', id: 1, method: 'optimism_rollupConfig', params: [] }
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await reply.json()) as { result: unknown }).result
}
