import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import {
  concat,
  createPublicClient,
  createWalletClient,
  type PublicClient,
  padHex,
  webSocket,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startDevnet } from '#devnet/index'
import { writeSampleContracts } from '#suites/clients/explorer/write-sample-contracts'
import { ensureChromium } from '#suites/gate/report-page/install-chromium'
import { onEachBlockUntil } from '#suites/system/end-to-end/on-each-block-until'

/** `npm run pictures`: the README's pictures of the explorer, from a devnet under a little load. */
const FOLDER = join(import.meta.dirname, '../../../devnet/dashboard')
const BLOCKS = 12n

const artifacts = mkdtempSync(join(tmpdir(), 'rollbed-picture-'))
const { Ledger, Till } = writeSampleContracts(artifacts)
await using devnet = await startDevnet({ artifacts })
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
  const page = await browser.newPage({ viewport: { width: 1100, height: 860 } })
  await page.goto(dashboardUrl)
  const { abi, bytecode } = Ledger
  const created = await wallets[0]!.deployContract({ abi, bytecode, chain: null })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: created })
  let round = 0
  await onEachBlockUntil(client, async () => {
    round += 1
    for (const wallet of wallets.slice(0, 3 + ((round * 3) % 7))) {
      const args = [wallet.account.address, BigInt(round)]
      const call = { abi, address: contractAddress!, functionName: 'note', args, chain: null }
      await wallet.writeContract({ ...call, gas: 200_000n })
    }
    return (await client.getBlockNumber({ cacheTime: 0 })) >= BLOCKS
  })
  await page.getByLabel('Flashblocks of the open block').getByRole('listitem').nth(4).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const name = colorScheme === 'light' ? 'dashboard.png' : 'dashboard-dark.png'
    // The chart takes its colours when it is drawn.
    const { number } = await client.getBlock({ blockTag: 'latest' })
    await page
      .getByRole('link', { name: `${number + 1n}`, exact: true })
      .first()
      .waitFor()
    await page.screenshot({ path: join(FOLDER, name) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(new URL(`/address/${contractAddress}`, dashboardUrl).href)
  await page.getByRole('row', { name: /limit/ }).waitFor()
  await page.screenshot({ path: join(FOLDER, 'contract.png') })
  const code = concat([Till.bytecode, padHex(contractAddress!)])
  const made = await wallets[0]!.deployContract({ abi: Till.abi, bytecode: code, chain: null })
  const { contractAddress: till } = await client.waitForTransactionReceipt({ hash: made })
  const paid = await wallets[3]!.writeContract({
    ...{ abi: Till.abi, address: till!, functionName: 'pay', chain: null },
    ...{ args: [3n], value: 5n, gas: 300_000n },
  })
  await client.waitForTransactionReceipt({ hash: paid })
  await page.goto(new URL(`/debug/${paid}`, dashboardUrl).href)
  for (const move of [
    'Next line (n)',
    'Next line (n)',
    'Into (i)',
    'Next line (n)',
    'Next line (n)',
  ]) {
    await page.getByRole('button', { name: move }).click()
  }
  await page.screenshot({ path: join(FOLDER, 'debugger.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(dashboardUrl)
  await page.locator('.line .dot').first().waitFor()
  await page.screenshot({ path: join(FOLDER, 'phone.png') })
} finally {
  await browser.close()
}
process.exit()
