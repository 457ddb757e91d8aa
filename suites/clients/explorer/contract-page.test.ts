import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { axeViolations } from '#suites/gate/report-page/axe-violations'
import { openBrowser } from '#suites/gate/report-page/open-browser'
import { lineWith, writeSampleContracts } from './write-sample-contracts.ts'

/** What a dapp's developer does all day: look a contract up, read it, write to it, see it move. */

const STRANGER: Hex = `0x${'5a'.repeat(20)}`

let folder: string
let devnet: Devnet
let browser: Browser
let page: Page
let contracts: ReturnType<typeof writeSampleContracts>
let ledger: Hex
let till: Hex
/** The transaction that made the last of them. */
let created: Hex
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-contract-'))
  contracts = writeSampleContracts(folder)
  const { Ledger, Till } = contracts
  ;[devnet, browser] = await Promise.all([
    startDevnet({
      ...{ manual: true, l1BlockTime: 1, batchInterval: 200, enclaves: 0 },
      ...{ artifacts: folder, logLevel: 'silent' },
    }),
    openBrowser(),
  ])
  const context = await browser.newContext({
    viewport: { width: 1100, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const deploy = async (bytecode: Hex): Promise<Hex> => {
    const request = { abi: Ledger.abi, bytecode, chain: null, gas: 2_000_000n }
    created = await wallet(0).deployContract(request)
    await devnet.node.flashblock()
    return (await client().getTransactionReceipt({ hash: created })).contractAddress!
  }
  ledger = await deploy(Ledger.bytecode)
  till = await deploy(concat([Till.bytecode, `0x${ledger.slice(2).padStart(64, '0')}`]))
  await devnet.node.seal()
})
afterAll(async () => {
  await browser?.close()
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

const client = () => createPublicClient({ transport: http(devnet.description.rpcUrl) })
const wallet = (index: number) =>
  createWalletClient({
    account: privateKeyToAccount(devnet.description.accounts[index]!.privateKey),
    transport: http(devnet.description.rpcUrl),
  })
const open = (path: string) => page.goto(new URL(path, devnet.description.dashboardUrl).href)
const form = (name: string) =>
  page.locator('form', { has: page.getByRole('button', { name, exact: true }) })
const step = () => devnet.node.flashblock()
const pay = async (value: bigint, wanted: bigint): Promise<Hex> => {
  const hash = await wallet(3).writeContract({
    ...{ abi: contracts.Till.abi, address: till, functionName: 'pay', chain: null },
    ...{ args: [wanted], value, gas: 300_000n },
  })
  await step()
  return hash
}
const note = async (amount: bigint): Promise<Hex> => {
  const hash = await wallet(3).writeContract({
    ...{ abi: contracts.Ledger.abi, address: ledger, functionName: 'note', chain: null },
    ...{ args: [STRANGER, amount], gas: 300_000n },
  })
  await step()
  return hash
}

describe('a contract that is known by its artifact', () => {
  test('given one that reads nothing, then it is said, and its source is there to be read', async () => {
    await open(`/address/${till}`)
    await page.getByText('It has no functions that only read.').waitFor()
    await page.getByText('Till.sol', { exact: true }).click()
    const source = page.getByRole('region', { name: 'Source Till.sol' })
    await source.getByText('function pay(uint256 wanted)').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('given a function that reads, when it is asked, then its answer is shown, and axe finds nothing', async () => {
    await open(`/address/${ledger}`)
    await form('limit').getByRole('button').click()
    await form('limit').locator('output').getByText('1000', { exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('given a function that writes, when a dev account and a stranger use it, then each is the sender', async () => {
    const accounts = devnet.description.accounts.map(({ address }) => address)
    const senders = [accounts[4]!, STRANGER]
    const snapshot = await client().request({ method: 'evm_snapshot' } as never)
    await client().request({
      method: 'anvil_setBalance',
      params: [STRANGER, '0xde0b6b3a7640000'],
    } as never)
    for (const sender of senders) {
      await open(`/address/${ledger}`)
      await page.getByLabel('As, a dev account or anybody').fill(sender)
      const isStranger = sender === STRANGER
      expect(await page.getByText('nothing from then on can be proven').count()).toBe(
        isStranger ? 1 : 0,
      )
      await form('note').getByLabel('who: address').fill(accounts[5]!)
      await form('note').getByLabel('amount: uint256').fill('6')
      await form('note').getByRole('button').click()
      const link = form('note').locator('output a')
      await link.waitFor()
      await step()
      const hash = (await link.getAttribute('href'))!.split('/').at(-1) as Hex
      const { from, to } = await client().getTransaction({ hash })
      expect([from, to]).toEqual([sender.toLowerCase(), ledger])
    }
    await client().request({ method: 'evm_revert', params: [snapshot] } as never)
  })

  test('given what it logged and stores, then events and variables are told by name', async () => {
    await note(31n)
    await devnet.node.seal()
    await open(`/address/${ledger}`)
    await page.getByRole('row', { name: /Noted .*amount: 31/ }).waitFor()
    await page.getByRole('row', { name: 'limit uint128 1 1000' }).waitFor()
    await page.getByRole('row', { name: 'isOpen bool 1 true' }).waitFor()
    await page.getByRole('row', { name: /entries mapping.* 0 lies in other slots/ }).waitFor()
  })

  test('given its name or a function of it, when one types / and searches, then it is found', async () => {
    const search = async (text: string) => {
      await page.locator('body').press('/')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await open('/')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await search('till')
    await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
    await page.locator('main:focus').waitFor()
    await search('note')
    await page.getByRole('heading', { level: 1, name: 'Ledger' }).waitFor()
    await page.locator('main:focus').waitFor()
    await search('account 2')
    await page
      .getByText(devnet.description.accounts[2]!.address, { exact: false })
      .first()
      .waitFor()
    await page.locator('main:focus').waitFor()
    await search('eth_getCode')
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    expect(await page.getByLabel('Only methods with').inputValue()).toBe('eth_getCode')
  })

  test('given the list of contracts, then it has those created here by name, and the predeploys', async () => {
    await open('/contracts')
    const created = page.getByRole('region', { name: /Created here/ })
    await created.getByRole('row', { name: /Till .*account 0/ }).waitFor()
    await created.getByRole('row', { name: /Ledger .*account 0/ }).waitFor()
    await page.getByRole('link', { name: /WETH9/ }).waitFor()
  })
})

describe('a transaction', () => {
  test('given one on the line of flashblocks, then it moves from pre-confirmed to sealed to safe', async () => {
    await open('/')
    await page.getByRole('list', { name: 'Flashblocks of the open block' }).waitFor()
    const hash = await note(1n)
    const line = page.locator('.line')
    await line.locator(`.open a[href="/tx/${hash}"]`).waitFor()
    const row = page.getByRole('row', { name: /note/ }).first()
    await row.getByText('pre-confirmed').waitFor()
    await devnet.node.seal()
    await line.locator(`:is(.sealed, .safe) a[href="/tx/${hash}"]`).waitFor()
    await page.getByRole('status').getByText('is sealed with 1 transaction.').waitFor()
    await line.locator(`.safe a[href="/tx/${hash}"]`).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('given two in one block, when the second is run again, then a branch has both, and the chain no more', async () => {
    await note(2n)
    const hash = await note(3n)
    await devnet.node.seal()
    const { gasUsed } = await client().getTransactionReceipt({ hash })
    const number = await client().getBlockNumber({ cacheTime: 0 })
    await open(`/tx/${hash}`)
    await page.getByRole('button', { name: 'Run it on a branch' }).click()
    const said = form('Run it on a branch').locator('output')
    await said.getByText(`it succeeded with ${gasUsed.toLocaleString('en')} gas`).waitFor()
    const branch = createPublicClient({
      transport: http((await said.locator('code').textContent())!),
    })
    const again = await branch.getTransactionReceipt({ hash })
    expect(again.gasUsed).toBe(gasUsed)
    expect(await client().getBlockNumber({ cacheTime: 0 })).toBe(number)
  })

  test('given its hash, when it is copied, then the clipboard has it', async () => {
    const hash = await note(4n)
    await open(`/tx/${hash}`)
    await page.getByRole('button', { name: 'Copy the hash' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(hash)
  })
})

describe('step by step', () => {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  /** Waits until a line of the source is marked. */
  const onLine = (words: string) =>
    page
      .getByRole('status')
      .getByText(`Till.sol, line ${lineWith(words)}: ${words}`, { exact: true })
      .waitFor()

  test('given a call of a contract that calls another, then one goes through both by lines, into, over, out and back', async () => {
    const hash = await pay(5n, 3n)
    await devnet.node.seal()
    await open(`/tx/${hash}`)
    await page.getByRole('link', { name: 'Step through it' }).click()
    const heading = page.getByRole('heading', { level: 1, name: 'Step by step' })
    await heading.waitFor()
    await press('Next line (n)')
    await onLine('if (msg.value < wanted) revert TooLittle(msg.value, wanted);')
    await press('Next line (n)')
    await onLine('ledger.note(msg.sender, msg.value);')
    await press('Into (i)')
    await page.keyboard.press('n')
    await onLine('entries[who] += amount;')
    const frames = page.locator('ol.frames li')
    expect(await frames.allTextContents()).toEqual([
      expect.stringMatching(/^CALL Ledger\.note /),
      expect.stringMatching(/^CALL Till\.pay /),
    ])
    expect(await page.locator('.source li[aria-current]').allTextContents()).toEqual([
      '        entries[who] += amount;',
    ])
    await page.keyboard.press('n')
    await onLine('emit Noted(who, amount);')
    // The sum that was just written lies where Solidity puts an entry of the mapping in slot 0.
    const slot = keccak256(
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'uint256' }],
        [devnet.description.accounts[3]!.address, 0n],
      ),
    )
    await page.getByRole('row', { name: new RegExp(`${slot} 0x5`) }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('b')
    await onLine('entries[who] += amount;')
    await page.keyboard.press('o')
    await onLine('ledger.note(msg.sender, msg.value);')
    const link = page.url()
    expect(link).toMatch(/\?step=\d+$/)
    await page.goto(link)
    await onLine('ledger.note(msg.sender, msg.value);')
  })

  test('given one that reverts, then it ends at the line that says why', async () => {
    const hash = await pay(2n, 3n)
    await devnet.node.seal()
    await open(`/debug/${hash}`)
    await press('Next line (n)')
    await onLine('if (msg.value < wanted) revert TooLittle(msg.value, wanted);')
    expect(
      await page.getByRole('button', { name: 'Next line (n)' }).getAttribute('aria-disabled'),
    ).toBe('true')
    await page.locator('ol.frames').getByText('it will fail: execution reverted').waitFor()
  })

  test('given a creation, then its constructor is stepped through', async () => {
    await open(`/debug/${created}`)
    await onLine('constructor(Ledger ledger_) { ledger = ledger_; }')
    await page.locator('ol.frames').getByText('Till.constructor').waitFor()
  })

  test('given a transfer, then it says that there are no steps', async () => {
    const hash = await wallet(1).sendTransaction({ to: STRANGER, chain: null, gas: 21_000n })
    await step()
    await open(`/debug/${hash}`)
    await page.getByText('It ran no code: there are no steps.').waitFor()
  })
})

test('given a chain that a cheat took off L1, then every page says so and what to do, until it is back', async () => {
  const ask = (method: string, ...params: unknown[]) =>
    client().request({ method, params } as never) as Promise<unknown>
  const snapshot = await ask('evm_snapshot')
  await ask('anvil_setBalance', STRANGER, '0x7')
  await devnet.node.seal()
  const { divergence } = (await ask('anvil_metadata')) as {
    divergence: { what: string; wayOut: string }
  }
  const banner = page.getByRole('status').getByText(`${divergence.what} ${divergence.wayOut}`)
  for (const path of ['/', '/accounts']) {
    await open(path)
    await banner.waitFor()
  }
  expect(await axeViolations(page)).toEqual([])
  await ask('evm_revert', snapshot)
  await banner.waitFor({ state: 'detached' })
})

describe('what came of a transaction', () => {
  test('given one that reverted, then lists say so, and its page tells time, place and price', async () => {
    const [good, bad] = [await pay(9n, 4n), await pay(3n, 4n)]
    await devnet.node.seal()
    for (const path of ['/', '/transactions', `/address/${till}`]) {
      await open(path)
      const row = (hash: Hex) =>
        page.getByRole('row').filter({ has: page.locator(`a[href='/tx/${hash}']`) })
      await row(bad).getByText('reverted').waitFor()
      expect(await row(good).getByText('reverted').count(), path).toBe(0)
    }
    const receipt = await client().getTransactionReceipt({ hash: bad })
    const { timestamp } = await client().getBlock({ blockNumber: receipt.blockNumber })
    await open(`/tx/${bad}`)
    const field = (name: string) =>
      page.locator('dl.fields > div', { has: page.getByText(name, { exact: true }) }).locator('dd')
    // A day, since time is moved by days here.
    const style = { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'medium' } as const
    const day = new Intl.DateTimeFormat('sv-SE', style).format(Number(timestamp) * 1000)
    await field('Time').getByText(`${day} UTC`, { exact: true }).waitFor()
    expect(await field('Block').textContent()).toBe(
      `${receipt.blockNumber} place ${receipt.transactionIndex}`,
    )
    expect(await field('Gas price').textContent()).toBe(
      `${receipt.effectiveGasPrice.toLocaleString('en')} wei`,
    )
  })

  test('given a dev account, then its page bears its name', async () => {
    await open(`/address/${devnet.description.accounts[3]!.address}`)
    await page.getByRole('heading', { level: 1, name: 'account 3' }).waitFor()
  })
})
