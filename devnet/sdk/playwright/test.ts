import { test as base } from '@playwright/test'
import type { TestFixtures, WorkerFixtures } from '../scene/rollbed-fixtures.ts'
import { nothingDeployed, sceneFixtures, workerDevnet } from '../scene/scene-fixtures.ts'
import type { TestScene } from '../scene/test-scene.ts'
import { openPageWallet, type PageWallet } from './page-wallet.ts'

/** What a test of a page gets by naming it. */
export interface PageFixtures extends TestFixtures {
  /** A wallet in the page: EIP-1193 at `window.ethereum`, announced by EIP-6963. */
  pageWallet: PageWallet
}

/**
 * Playwright's `test` with a devnet for each worker and a chain for each test, which nothing else sees.
 * A page reaches the chain at `chain.rpcUrls.default.http[0]`.
 *
 * @example
 * import { expect } from '@playwright/test'
 * import { test } from 'rollbed/playwright'
 *
 * test('given a transfer, then it arrives with its pre-confirmation', async ({ client, wallet }) => {
 *   const to = '0x000000000000000000000000000000000000bEEF'
 *   await wallet.sendAndPreconfirm({ to, value: 1n })
 *   expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(1n)
 * })
 */
export const test = base.extend<PageFixtures & { scene: TestScene }, WorkerFixtures>({
  devnetOptions: [{}, { scope: 'worker', option: true }],
  devnet: [workerDevnet, { scope: 'worker' }],
  deployed: [nothingDeployed, { scope: 'worker' }],
  flashblocks: ['prompt', { option: true }],
  ...sceneFixtures,
  pageWallet: async ({ page, scene }, use) => use(await openPageWallet(page, scene)),
  // A function, so what gives it has to stand in a list.
  walletOf: [sceneFixtures.walletOf, { scope: 'test' }],
})
