import { test as base } from 'vitest'
import { devnetForTests } from '../scene/devnet-for-tests.ts'
import type { TestFixtures, WorkerFixtures } from '../scene/rollbed-fixtures.ts'
import { type TestScene, testScene } from '../scene/test-scene.ts'
import { allowForStart } from './allow-for-start.ts'

allowForStart()

/**
 * vitest's `test` with a devnet for each worker and a chain for each test, which nothing else sees.
 * Nothing is to be cleaned up.
 *
 * @example
 * import { expect } from 'vitest'
 * import { test } from 'rollbed/vitest'
 *
 * test('given a transfer, then it arrives with its pre-confirmation', async ({ client, wallet }) => {
 *   const to = '0x000000000000000000000000000000000000bEEF'
 *   await wallet.sendAndPreconfirm({ to, value: 1n })
 *   expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(1n)
 * })
 */
export const test = base.extend<WorkerFixtures & TestFixtures & { scene: TestScene }>({
  devnetOptions: [{}, { scope: 'worker' }],
  devnet: [
    async ({ devnetOptions }, use) => {
      const { devnet, stop } = await devnetForTests(devnetOptions)
      await use(devnet)
      await stop()
    },
    { scope: 'worker' },
  ],
  async branch({ devnet }, use) {
    await using branch = await devnet.branch()
    await use(branch)
  },
  async scene({ devnet, branch }, use) {
    const scene = testScene(devnet.description, branch)
    await use(scene)
    await scene.close()
  },
  chain: ({ scene }, use) => use(scene.chain),
  client: ({ scene }, use) => use(scene.client),
  wallet: ({ scene }, use) => use(scene.wallet),
  walletOf: ({ scene }, use) => use(scene.walletOf),
  clock: ({ scene }, use) => use(scene.clock),
  faults: ({ scene }, use) => use(scene.faults),
})
