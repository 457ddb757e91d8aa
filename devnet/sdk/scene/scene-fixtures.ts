import type { DevnetBranch } from '#devnet/rollup/start/open-branch'
import { devnetForTests } from './devnet-for-tests.ts'
import type { TestFixtures, WorkerFixtures } from './rollbed-fixtures.ts'
import { type TestScene, testScene } from './test-scene.ts'

type Use<T> = (value: T) => Promise<void>
type InScene<K extends keyof TestScene> = (
  fixtures: { scene: TestScene },
  use: Use<TestScene[K]>,
) => Promise<void>

/** The worker's devnet, for as long as the worker lives. */
export async function workerDevnet(
  { devnetOptions }: Pick<WorkerFixtures, 'devnetOptions'>,
  use: Use<WorkerFixtures['devnet']>,
): Promise<void> {
  const { devnet, stop } = await devnetForTests(devnetOptions)
  await use(devnet)
  await stop()
}

/** What a worker has deployed where nobody says. */
export async function nothingDeployed(
  { devnet: _ }: Pick<WorkerFixtures, 'devnet'>,
  use: Use<WorkerFixtures['deployed']>,
): Promise<void> {
  await use(undefined)
}

/** Names `deployed` so that it is there before the branch is made: both runners read that from here. */
async function branch(
  {
    devnet,
    deployed: _,
    flashblocks,
  }: Pick<WorkerFixtures, 'devnet' | 'deployed'> & Pick<TestFixtures, 'flashblocks'>,
  use: Use<DevnetBranch>,
): Promise<void> {
  await using branch = await devnet.branch('pending', { flashblocks })
  await use(branch)
}

async function scene(
  { devnet, branch }: Pick<WorkerFixtures, 'devnet'> & Pick<TestFixtures, 'branch'>,
  use: Use<TestScene>,
): Promise<void> {
  const scene = testScene(devnet.description, branch)
  await use(scene)
  await scene.close()
}

const chain: InScene<'chain'> = ({ scene }, use) => use(scene.chain)
const client: InScene<'client'> = ({ scene }, use) => use(scene.client)
const wallet: InScene<'wallet'> = ({ scene }, use) => use(scene.wallet)
const walletOf: InScene<'walletOf'> = ({ scene }, use) => use(scene.walletOf)
const clock: InScene<'clock'> = ({ scene }, use) => use(scene.clock)
const faults: InScene<'faults'> = ({ scene }, use) => use(scene.faults)

/** What each test gets, in the form that vitest's and Playwright's `test.extend` share. */
export const sceneFixtures = { branch, scene, chain, client, wallet, walletOf, clock, faults }
