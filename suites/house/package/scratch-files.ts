/** A test file of a user who has just installed rollbed, told what it pays. */
const vitestFile = (wei: number) => `import { expect } from 'vitest'
import { test } from 'rollbed/vitest'

test('a transfer is pre-confirmed', async ({ client, wallet }) => {
  const to = '0x000000000000000000000000000000000000bEEF'
  await wallet.sendAndPreconfirm({ to, value: ${wei}n })
  expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(${wei}n)
})
`

/** Fixtures of a worker that a user gives himself: vitest before 4.1 keeps those that were there before. */
export const WORKER_FILE = `import { expect } from 'vitest'
import { eras, test } from 'rollbed/vitest'

const own = test.extend({
  devnetOptions: [{ enclaves: 0, chainId: 4242 }, { scope: 'worker' }],
  deployed: [async ({ devnet }, use) => use(devnet.description.chainId), { scope: 'worker' }],
})

own('a worker has the devnet that was asked for, and what it deployed', async ({ client, deployed }) => {
  expect(deployed).toBe(4242)
  expect(await client.getChainId()).toBe(4242)
})

for (const [name, has] of [['before', false], ['after', true]]) {
  eras[name]('each era has its blocks', async ({ client, clock }) => {
    await clock.seal()
    expect('timestampMs' in (await client.getBlock())).toBe(has)
  })
}
`

const IMPORTS = {
  module: `import { expect } from '@playwright/test'
import { test } from 'rollbed/playwright'
`,
  commonjs: `const { expect } = require('@playwright/test')
const { test } = require('rollbed/playwright')
`,
}

const playwrightFile = (type: keyof typeof IMPORTS) => `${IMPORTS[type]}
test('a transfer shows in the explorer', async ({ page, devnet, wallet }) => {
  const { transactionHash } = await wallet.sendAndPreconfirm({ to: wallet.account.address })
  await page.goto(devnet.description.dashboardUrl)
  await expect(page).toHaveTitle(/rollbed/i)
  expect(transactionHash).toMatch(/^0x/)
})
`

/** Two vitest files and a Playwright test, by their names. */
export function scratchFiles(type: 'module' | 'commonjs'): Record<string, string> {
  return {
    'one.test.js': vitestFile(1),
    'two.test.js': vitestFile(2),
    'page.spec.js': playwrightFile(type),
    'playwright.config.js':
      type === 'module'
        ? "export default { testMatch: '*.spec.js', use: { launchOptions: { executablePath: process.env.CHROMIUM } } }\n"
        : "module.exports = { testMatch: '*.spec.js', use: { launchOptions: { executablePath: process.env.CHROMIUM } } }\n",
    'vitest.config.mjs': "export default { test: { include: ['*.test.js'] } }\n",
  }
}
