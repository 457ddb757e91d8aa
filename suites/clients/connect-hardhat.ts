import type { Hex } from 'viem'
import { lane } from '#suites/lane'

/** What we use of a connection of Hardhat 3, with its plugins for Ignition and network helpers. */
interface HardhatConnection {
  networkHelpers: {
    setBalance(address: Hex | string, balance: bigint): Promise<void>
    mine(blocks?: number): Promise<void>
    time: { latestBlock(): Promise<number> }
  }
  ignition: {
    deploy(module: IgnitionModule): Promise<{ token: { read: { symbol(): Promise<string> } } }>
  }
}

interface IgnitionModule {
  id: string
}

interface Ignition {
  buildModule(
    id: string,
    build: (module: {
      contract(name: string, artifact: object, args: unknown[]): object
    }) => Record<string, object>,
  ): IgnitionModule
}

interface Hardhat {
  createHardhatRuntimeEnvironment(
    config: object,
    options?: object,
    folder?: string,
  ): Promise<{ network: { connect(name: string): Promise<HardhatConnection> } }>
}

const load = lane('clients').load

/**
 * Hardhat 3 as its users start it, with one network.
 * @param network as its config file would have it
 * @param folder of the project; that of this process by default
 */
export async function connectHardhat(network: object, folder?: string): Promise<HardhatConnection> {
  const { createHardhatRuntimeEnvironment } = await load<Hardhat>('hardhat/dist/src/hre.js')
  const plugins = await Promise.all(
    ['hardhat-ignition-viem', 'hardhat-network-helpers'].map(async (name) => {
      const file = `@nomicfoundation/${name}/dist/src/index.js`
      return (await load<{ default: object }>(file)).default
    }),
  )
  const config = { plugins, networks: { rollbed: network } }
  const environment = await createHardhatRuntimeEnvironment(config, {}, folder)
  return await environment.network.connect('rollbed')
}

export const loadIgnition = () =>
  load<Ignition>('@nomicfoundation/hardhat-ignition/dist/src/modules.js')
