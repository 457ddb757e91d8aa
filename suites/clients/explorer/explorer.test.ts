import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { concat, createPublicClient, createWalletClient, type Hex, http, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { proveRange } from '#devnet/proving/prover/prove-range'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { systemClock } from '#protocol/clock/system-clock'
import { axeViolations } from '#suites/gate/report-page/axe-violations'
import { openBrowser } from '#suites/gate/report-page/open-browser'
import { type SampleContract, writeSampleContracts } from './write-sample-contracts.ts'

/** The page of `rollbed up` in a real browser, on a devnet that is stepped by hand. */

const TABS = ['Home', 'Transactions', 'Contracts', 'Accounts']
const MORE = [
  ...['Blocks', 'Pool', 'Builder codes', 'Proofs', 'Games', 'Enclaves'],
  ...['Actors', 'Clock', 'Faults', 'Requests', 'Subscriptions'],
]

/** One of each kind of page; others of these tests look at what they open. */
const EVERY_PATH = [
  ...['/', '/transactions', '/contracts', '/accounts', '/blocks', '/block/0', '/pool', '/codes'],
  ...['/proofs', '/games', '/enclaves', '/actors', '/clock', '/faults', '/requests'],
  '/subscriptions',
]

let folder: string
let devnet: Devnet
let at: DevnetDescription
let browser: Browser
let context: BrowserContext
let page: Page
let contracts: Record<'Ledger' | 'Till', SampleContract>
/** What went wrong in the page, and what it loaded from elsewhere. */
const complaints: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-explorer-'))
  contracts = writeSampleContracts(folder)
  ;[devnet, browser] = await Promise.all([
    startDevnet({
      ...{ manual: true, l1BlockTime: 1, batchInterval: 200 },
      ...{ artifacts: folder, logLevel: 'silent' },
    }),
    openBrowser(),
  ])
  at = devnet.description
  context = await browser.newContext({ viewport: { width: 1100, height: 900 } })
  context.setDefaultTimeout(20_000)
  page = await context.newPage()
  const own = Object.values(at).map((value) => URL.parse(String(value))?.host)
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !own.includes(host)) complaints.push(`asked ${request.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) complaints.push(message.text())
  })
  await page.goto(at.dashboardUrl)
})
afterAll(async () => {
  await browser?.close()
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

const client = () => createPublicClient({ transport: http(at.rpcUrl), pollingInterval: 20 })
const wallet = (index = 0) =>
  createWalletClient({
    account: privateKeyToAccount(at.accounts[index]!.privateKey),
    transport: http(at.rpcUrl),
  })
const open = (path: string) => page.goto(new URL(path, at.dashboardUrl).href)
const step = () => devnet.node.flashblock()
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const row = (name: string | RegExp) => page.getByRole('row', { name }).first().waitFor()
const field = (name: string) =>
  page.locator('dl.fields > div', { has: page.getByText(name, { exact: true }) }).locator('dd')

async function deploy(name: keyof typeof contracts, args: Hex[] = []): Promise<Hex> {
  const hash = await wallet().deployContract({
    ...{ abi: contracts[name].abi, chain: null, gas: 2_000_000n },
    bytecode: concat([contracts[name].bytecode, ...args]),
  })
  await step()
  return (await client().getTransactionReceipt({ hash })).contractAddress!
}

describe('the pages', () => {
  test('given the keyboard alone, then the skip link leads to the content and every page is reached', async () => {
    await page.locator('nav a').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    const links = await page.getByRole('navigation').getByRole('link').allTextContents()
    expect(links).toEqual(TABS)
    for (const name of [...MORE, ...TABS.slice(1), TABS[0]!]) {
      if (MORE.includes(name)) {
        await page.locator('nav summary').focus()
        await page.keyboard.press('Enter')
      }
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true })
      await link.focus()
      await page.keyboard.press('Enter')
      await heading(name)
      await page.locator('main:focus').waitFor()
      expect(await page.locator('nav [aria-current=page]').textContent()).toBe(name)
    }
  })

  test('given light and dark colours, then axe finds nothing', async () => {
    for (const path of EVERY_PATH) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await axeViolations(page), path).toEqual([])
    }
  })

  test('given an address that is none, then that is said, and nothing is loaded or offered', async () => {
    await open('/address/0x12')
    await page.getByText('40 hexadecimal digits').waitFor()
    const said = await page.locator('main').textContent()
    expect(said).not.toMatch(/Loading|Faucet|Storage/)
  })

  test('given a page that is not there, then it is said with status 404', async () => {
    const response = await open('/nowhere')
    expect(response!.status()).toBe(404)
    await heading('There is no such page')
  })
})

describe('a transaction', () => {
  let till: Hex
  let paid: Hex
  beforeAll(async () => {
    const ledger = await deploy('Ledger')
    till = await deploy('Till', [`0x${ledger.slice(2).padStart(64, '0')}`])
  })

  test('given artifacts, when it calls a contract, then calls, logs, gas and state are told by name', async () => {
    paid = await wallet(1).writeContract({
      ...{ abi: contracts.Till.abi, address: till, functionName: 'pay', chain: null },
      ...{ args: [5n], value: 7n, gas: 500_000n },
    })
    await open(`/tx/${paid}`)
    await page.getByText('It waits in the pool').waitFor()
    await step()
    // The page follows by itself.
    await page.getByText('succeeded').waitFor()
    await field('Stage').getByText('pre-confirmed', { exact: true }).waitFor()
    await row('wanted uint256 5')
    const tree = page.locator('ul.calls')
    await tree.getByText('note', { exact: true }).waitFor()
    await tree.getByRole('link', { name: /Till/ }).waitFor()
    await tree.getByRole('link', { name: /Ledger/ }).waitFor()
    await row(/Noted .*Ledger who: 0x\w{40}, amount: 7/)
    await row(/Till balance 0 ETH 0.000000000000000007 ETH/)
    const slots = page.getByRole('row', { name: /Ledger slot 0x\w{64} 0x0{64} 0x0{63}7/ })
    await slots.waitFor()
    expect(await axeViolations(page)).toEqual([])
    await devnet.node.seal()
    await field('Stage').getByText('sealed', { exact: true }).waitFor()
    const receipt = await client().getTransactionReceipt({ hash: paid })
    const used = receipt.gasUsed.toLocaleString('en')
    expect(await field('Gas').textContent()).toBe(`${used} of 500,000`)
    expect(await field('Fee for L1').textContent()).toContain('gas at')
  })

  test('given a revert with an error of the contract, then the reason is told', async () => {
    const hash = await wallet(1).writeContract({
      ...{ abi: contracts.Till.abi, address: till, functionName: 'pay', chain: null },
      ...{ args: [9n], value: 1n, gas: 500_000n },
    })
    await step()
    await open(`/tx/${hash}`)
    await page.locator('.notice').getByText('TooLittle(1, 9)').waitFor()
    await page.getByText('reverted', { exact: true }).waitFor()
  })

  test('given a builder code, then the page registers it, and shows whom a transaction credits', async () => {
    await open('/codes')
    await page.getByLabel('Wallet').fill(at.accounts[2]!.address)
    await page.getByRole('button', { name: 'Get a code' }).click()
    const code = await page.locator('output code').textContent()
    const bytes = Buffer.from(code!, 'ascii')
    // Source: ERC-8021, schema 0: codes, their length, the schema, sixteen times 8021.
    const suffix = concat([
      ...[`0x${bytes.toString('hex')}`, numberToHex(bytes.length, { size: 1 }), '0x00'],
      `0x${'8021'.repeat(8)}`,
    ] as Hex[])
    const hash = await wallet(3).sendTransaction({
      ...{ to: at.accounts[4]!.address, data: suffix, chain: null, gas: 100_000n },
    })
    await step()
    await open(`/tx/${hash}`)
    await row(new RegExp(`${code} .*account 2`))
  })

  test('given a search, then it leads to blocks, transactions and addresses', async () => {
    const search = async (text: string) => {
      await page.getByRole('searchbox', { name: /Search/ }).fill(text)
      await page.keyboard.press('Enter')
    }
    await search(paid)
    await heading('Transaction')
    const { blockNumber } = await client().getTransactionReceipt({ hash: paid })
    await search(`${blockNumber}`)
    await heading(`Block ${blockNumber}`)
    await row(/pay/)
    await search(till)
    await heading('Till')
    await search('<img src=x onerror=alert(1)>')
    await page.getByText('Nothing is called “<img src=x onerror=alert(1)>” here.').waitFor()
    await page.goBack()
    await page.goBack()
    await heading('Till')
  })
})

test('given the faucet, when somebody asks, then the ether is there, pre-confirmed', async () => {
  const poor = `0x${'5c'.repeat(20)}` as const
  await open(`/address/${poor}`)
  await page.getByLabel('Ether').fill('2.5')
  await page.getByRole('button', { name: 'Give ether' }).click()
  await page.locator('output a').waitFor()
  await step()
  await field('Balance').getByText('2.5 ETH', { exact: true }).waitFor()
})

test('given the clock, when a block is sealed by a button, then the page shows it', async () => {
  await open('/clock')
  const number = (await client().getBlockNumber({ cacheTime: 0 })) + 1n
  await page.getByRole('button', { name: 'Seal the block' }).click()
  await page
    .locator('output')
    .getByRole('link', { name: `${number}` })
    .click()
  await heading(`Block ${number}`)
})

test('given a devnet that takes no faults, then the page says which does, and has no button for them', async () => {
  await open('/faults')
  await page.getByText('not started for faults').getByText('rollbed up --faults none').waitFor()
  expect(await page.getByRole('button', { name: /Inject|Clear/ }).count()).toBe(0)
})

test('given a dapp that asks, then its calls are in the log, and those of the page are not', async () => {
  await open('/requests')
  await client().getBalance({ address: at.accounts[7]!.address })
  await row(/eth_getBalance \["0x14dc79964da2c08b23698b3d3cc7ca32193d9955","latest"\] http/)
  expect(await page.getByRole('row', { name: / ws / }).count()).toBe(0)
})

test('given a subscription, then it is listed, and its messages can be listened to', async () => {
  await open('/subscriptions')
  await row(/newHeads/)
  await page.getByLabel('Kind').selectOption('newFlashblocks')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('Listening to newFlashblocks.').waitFor()
  await step()
  await row(/"transactions":/)
})

test('given a proof, then every byte of its journal is named, and what failed says why', async () => {
  const { proverUrl, rpcUrl, l1RpcUrl, accounts, enclaves } = at
  const proposer = accounts[0]!.address
  const range = { from: 1, to: 1, interval: 0, proposer, clock: systemClock }
  const result = await proveRange({ ...range, proverUrl, rpcUrl, l1RpcUrl })
  const { output_root, prev_output_root, config_hash, l1_origin_hash } =
    result.Tee.aggregate_proposal
  const l1 = { l1_head: l1_origin_hash, agreed_l2_head_hash: l1_origin_hash }
  await httpRpcClient(proverUrl)
    .request('prover_prove', [
      {
        ...{ ...l1, agreed_l2_output_root: output_root, claimed_l2_output_root: output_root },
        ...{ claimed_l2_block_number: 1, intermediate_block_interval: 1, proposer },
      },
    ])
    .catch(() => {})
  await open('/proofs')
  await row(/^Proof 2 .*witness generation failed/)
  await page.getByRole('link', { name: 'Proof 1' }).click()
  await heading('Proof 1')
  // Source: the specification, layout of the journal (JRN-01 to 11).
  const number = (value: number) => `${value}`
  const journal = [
    ['0–19', 'proposer', proposer],
    ['20–51', 'l1OriginHash', l1_origin_hash],
    ['52–83', 'prevOutputRoot', prev_output_root],
    ['84–91', 'startingL2Block', number(0)],
    ['92–123', 'outputRoot', output_root],
    ['124–131', 'endingL2Block', number(1)],
    ['132–163', 'configHash', config_hash],
    ['164–195', 'teeImageHash', enclaves[0]!.imageHash],
  ]
  for (const cells of journal) await row(new RegExp(cells.join(' '), 'i'))
})

test('given the page, then it ran only its own script, loaded nothing from elsewhere, and no other page may frame it', async () => {
  expect(complaints).toEqual([])
  const response = await fetch(at.dashboardUrl)
  const policy = response.headers.get('content-security-policy')!
  expect(policy).toMatch(/default-src 'none'/)
  expect(policy).toMatch(/script-src 'self'[;]/)
  expect(policy).toMatch(/frame-ancestors 'none'/)
  expect(policy).not.toMatch(/unsafe/)
  expect(await response.text()).not.toMatch(/<script(?! type="module" src="\/page\.js")/)
})
