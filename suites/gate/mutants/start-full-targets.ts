import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devnetEnclaveCommand, devnetLocalEnclaveCommand } from '#devnet/cli/devnet-enclave-command'
import { devnetHostCommand, devnetTargets } from '#devnet/cli/devnet-targets'
import { ownCallerCommand, SOURCES } from '#devnet/cli/own-caller-command'
import { type DevnetDescription, startDevnet } from '#devnet/index'
import { startPlainEndpoint } from '#mocks/index'
import type { Clock } from '#protocol/clock/clock'
import { quoteWord, type Targets } from '../conformance/index.ts'

export interface FullTargets extends AsyncDisposable {
  targets: Targets
}

/** A caller of devnet/docs; it finds the devnet.json of its folder. */
function example(name: string): string {
  return [process.execPath, join(import.meta.dirname, '../../../devnet/docs', name)]
    .map(quoteWord)
    .join(' ')
}

/** Everything the gate can judge around one devnet, with an endpoint that has no pre-confirmations and a second network. */
export async function startFullTargets(
  devnet: DevnetDescription,
  clock: Clock,
): Promise<FullTargets> {
  await using resources = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-targets-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const testnet = await startDevnet({ chainId: devnet.chainId + 1, enclaves: 0 })
  resources.defer(() => testnet.stop())
  const plain = await startPlainEndpoint({ target: devnet.rpcUrl, clock })
  resources.defer(() => plain.stop())
  const targets = {
    ...devnetTargets(devnet),
    rpcTestnet: testnet.description.rpcUrl,
    rpcPlain: plain.url,
    proposer: example('own-proposer.ts'),
    challenger: example('own-challenger.ts'),
    // Its mutants change a source as it is loaded.
    registrar: ownCallerCommand('registrar', SOURCES),
    client: example('own-client.ts'),
    host: await devnetHostCommand(devnet, folder),
    enclaveCommand: await devnetEnclaveCommand(join(folder, 'enclave')),
    localEnclaveCommand: await devnetLocalEnclaveCommand(devnet, join(folder, 'local-enclave')),
  }
  const owned = resources.move()
  return { targets, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
