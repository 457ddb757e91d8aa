import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createPublicClient, createWalletClient, type PublicClient, webSocket } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startDevnet } from '../../devnet/index.ts'
import { onEachBlockUntil } from '../end-to-end/on-each-block-until.ts'
import { ensureChromium } from '../report-page/install-chromium.ts'

/** `npm run pictures`: the README's picture of the dashboard, from a devnet under a little load. */
const PICTURE = join(import.meta.dirname, '../../devnet/dashboard/dashboard.png')
const BLOCKS = 8n

await using devnet = await startDevnet()
const { accounts, wsUrl, dashboardUrl } = devnet.description
const transport = webSocket(wsUrl)
const client = createPublicClient({ transport }) as PublicClient
const wallets = accounts.map(({ privateKey }) =>
  createWalletClient({ account: privateKeyToAccount(privateKey), transport }),
)
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1060, height: 900 } })
  await page.goto(dashboardUrl)
  await onEachBlockUntil(client, async () => {
    for (const wallet of wallets) {
      await wallet.sendTransaction({ to: accounts[0]!.address, value: 1n, chain: null })
    }
    return (await client.getBlockNumber({ cacheTime: 0 })) >= BLOCKS
  })
  await page.getByRole('listitem').nth(4).waitFor()
  await page.screenshot({ path: PICTURE })
} finally {
  await browser.close()
}
process.exit()
