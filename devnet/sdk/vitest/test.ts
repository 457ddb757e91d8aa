import { test as base } from 'vitest'
import type { TestFixtures, WorkerFixtures } from '../scene/rollbed-fixtures.ts'
import { nothingDeployed, sceneFixtures, workerDevnet } from '../scene/scene-fixtures.ts'
import type { TestScene } from '../scene/test-scene.ts'
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
  devnet: [workerDevnet, { scope: 'worker' }],
  deployed: [nothingDeployed, { scope: 'worker' }],
  flashblocks: 'prompt',
  ...sceneFixtures,
})
