import type { DevnetOptions } from '#devnet/base/options/devnet-options'
import type { DevnetBranch, Flashblocks } from '#devnet/rollup/start/open-branch'
import type { ConnectedDevnet } from '../connect-devnet.ts'
import type { RollbedChain } from '../viem/rollbed-chain.ts'
import type { ChainClock } from './chain-clock.ts'
import type { ChainFaults } from './chain-faults.ts'
import type { SceneClient, SceneWallet } from './test-scene.ts'

/** What a test worker has. */
export interface WorkerFixtures {
  /** What the worker's devnet is started with; default: no enclaves. */
  devnetOptions: DevnetOptions
  /** One for each worker, or the one at `ROLLBED_URL`. */
  devnet: ConnectedDevnet
  /**
   * What a worker deploys once, before the first branch of its devnet is made, so that each test has it. Yours
   * to give, by `test.extend`; default: nothing.
   */
  deployed: unknown
}

/** What a test gets by naming it. */
export interface TestFixtures {
  /**
   * When pre-confirmations come on the test's chain: `prompt`, as soon as something waits, or with the
   * `beat` of 200 ms. Default `prompt`.
   */
  flashblocks: Flashblocks
  /** The test's own chain. */
  branch: DevnetBranch
  chain: RollbedChain
  client: SceneClient
  /** Of the first of the devnet's accounts. */
  wallet: SceneWallet
  /** A wallet of one of the ten accounts. */
  walletOf: (index: number) => SceneWallet
  clock: ChainClock
  faults: ChainFaults
}
