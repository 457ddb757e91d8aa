import { packageVersion } from '#devnet/base/package-version'
import { NEXT_FILES } from './next-files.ts'

/** Which first project `rollbed init` writes. */
export type ProjectKind = 'vitest' | 'playwright' | 'next'

const VITEST_TEST = `import { expect } from 'vitest'
import { test } from 'rollbed/vitest'

test('given a transfer, then it arrives with its pre-confirmation', async ({ client, wallet }) => {
  const to = '0x000000000000000000000000000000000000bEEF'
  await wallet.sendAndPreconfirm({ to, value: 1n })
  expect(await client.getBalance({ address: to, blockTag: 'pending' })).toBe(1n)
})
`

const PAGE_TEST = `import { expect } from '@playwright/test'
import { test } from 'rollbed/playwright'

test('given a user who says no, then the page may ask again', async ({ page, pageWallet }) => {
  await page.goto('about:blank') // your dapp
  const ask = () => page.evaluate("window.ethereum.request({ method: 'eth_requestAccounts' })")
  pageWallet.refuse() // the next request, with error 4001; 'all' and 'none' last
  await expect(ask()).rejects.toThrow('refused')
  expect(await ask()).toEqual([pageWallet.address])
  await pageWallet.switchTo(3) // the page hears accountsChanged
  await pageWallet.disconnect() // and now with no account
  expect(pageWallet.requests).toHaveLength(2)
})
`

const PLAYWRIGHT_CONFIG = `import { defineConfig } from '@playwright/test'

export default defineConfig({ testMatch: '*.spec.ts' })
`

/** Of the packages that rollbed is made with, where it is made with them: a test compares. */
const RANGES = {
  rollbed: `^${packageVersion}`,
  viem: '^2.57.0',
  vitest: '^5.1.1',
  '@playwright/test': '^1.65.1',
  next: '^16.4.6',
  react: '^19.3.1',
  'react-dom': '^19.3.1',
  wagmi: '^3.7.7',
  '@tanstack/react-query': '^5.108.0',
  typescript: '^7.0.2',
  '@types/node': '^24.19.2',
  '@types/react': '^19.3.0',
  node: '24',
} as const

/** What a package.json needs where the machine's Node is too old for a devnet. */
export const OWN_NODE = `node@${RANGES.node}`

const RUNNERS = {
  vitest: {
    scripts: { test: 'vitest run' },
    packages: ['vitest'],
    files: { 'transfer.test.ts': VITEST_TEST },
  },
  playwright: {
    scripts: { test: 'playwright test' },
    packages: ['@playwright/test'],
    files: { 'page.spec.ts': PAGE_TEST, 'playwright.config.ts': PLAYWRIGHT_CONFIG },
  },
  next: {
    scripts: { dev: 'next dev', build: 'next build', test: 'playwright test' },
    packages: [
      ...['@playwright/test', 'next', 'react', 'react-dom', 'wagmi', '@tanstack/react-query'],
      ...['typescript', '@types/node', '@types/react'],
    ],
    files: NEXT_FILES,
  },
} as const

export interface Project {
  /** By their names. */
  files: Readonly<Record<string, string>>
  /** For a folder that has no package.json. */
  manifest: string
  /** What a folder that has one needs. */
  packages: readonly string[]
}

/**
 * A first test that is green, for `next` of a page that is there, too; and what it needs.
 * @param needsNode whether the Node that will run it is too old for a devnet
 */
export function projectFiles(kind: ProjectKind, { needsNode }: { needsNode: boolean }): Project {
  const { files, packages, scripts } = RUNNERS[kind]
  const node = needsNode ? (['node'] as const) : []
  const needed = ['rollbed', 'viem', ...packages, ...node] as const
  const devDependencies = Object.fromEntries(needed.map((name) => [name, RANGES[name]]))
  const content = { private: true, type: 'module', scripts, devDependencies }
  return { files, manifest: `${JSON.stringify(content, null, 2)}\n`, packages: needed }
}
