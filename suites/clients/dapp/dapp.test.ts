import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import { createPublicClient, type Hash, http, parseEther, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { rollbedChain, testActions } from '#devnet/sdk/viem/index'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { openBrowser } from '#suites/gate/report-page/open-browser'
import { type ServedDapp, serveDapp } from './serve-dapp.ts'

/** The sample dapp as its user meets it, on a devnet whose flashblocks and blocks are made by hand. */

const JAR = '0x00000000000000000000000000000000000071b5'
/** The last sixteen bytes of every attributed call (ERC-8021). */
const MARKER = '8021'.repeat(8)

let devnet: Devnet
let at: DevnetDescription
let dapp: ServedDapp
let browser: Browser
let page: Page
/** Errors that the page did not catch. */
const uncaught: string[] = []

beforeAll(async () => {
  ;[devnet, browser] = await Promise.all([
    startDevnet({ manual: true, faults: true, enclaves: 0, logLevel: 'silent' }),
    openBrowser(),
  ])
  at = devnet.description
  dapp = await serveDapp(at)
  page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => uncaught.push(error.message))
  const { privateKey } = at.accounts[0]!
  const settings = JSON.stringify({ privateKey, rpcUrl: at.rpcUrl, refuses: false })
  await page.addInitScript({ content: `window.testWallet = ${settings};\n${dapp.wallet}` })
  await page.goto(dapp.url)
})
afterAll(async () => {
  await browser?.close()
  await dapp?.[Symbol.asyncDispose]()
  await devnet?.stop()
})

const client = () =>
  createPublicClient({ chain: rollbedChain(at), transport: http() }).extend(testActions())
const press = (name: string) => page.getByRole('button', { name }).click()
const reads = (text: string | RegExp) => page.getByText(text).waitFor()
const warned = (text: RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor()
const unwarned = () => page.getByRole('alert').waitFor({ state: 'detached' })
const setRefusing = (refuses: boolean) =>
  page.evaluate(
    (no) => Object.assign(Reflect.get(globalThis, 'testWallet'), { refuses: no }),
    refuses,
  )

/** Presses the button, and waits until the chain has what it sent. */
async function tip(): Promise<Hash> {
  await press('Tip 0.01 ETH')
  await reads('Sent: it waits for the next flashblock.')
  return (await page.locator('output').getAttribute('data-hash')) as Hash
}

async function preconfirmedTip(): Promise<Hash> {
  const hash = await tip()
  await client().flashblock()
  await reads(/^Pre-confirmed/)
  return hash
}

const jar = () => client().getBalance({ address: JAR, blockTag: 'pending' })

describe('a tip', () => {
  test('given a user who says no and then yes, then the wallet is connected', async () => {
    await setRefusing(true)
    await press('Connect Test wallet')
    await warned(/^You said no in your wallet/)
    await setRefusing(false)
    await press('Connect Test wallet')
    await reads(`You are ${at.accounts[0]!.address}.`)
  })

  test('given a flashblock, then it is shown as pre-confirmed before its block is sealed', async () => {
    const head = await client().getBlockNumber({ cacheTime: 0 })
    await tip()
    await client().flashblock()
    await reads(`Pre-confirmed: it will stand in block ${head + 1n}.`)
    await reads('In the jar: 0.01 ETH')
    expect(await client().getBlockNumber({ cacheTime: 0 })).toBe(head)
    await client().seal()
    await reads(`Sealed in block ${head + 1n}.`)
  })

  test('given a builder code, then its bytes end the calldata', async () => {
    await press('Get a builder code')
    await reads(/^Tips credit bc_[a-z0-9]{8}\.$/)
    const code = /bc_[a-z0-9]{8}/.exec((await page.textContent('main'))!)![0]
    const hash = await preconfirmedTip()
    const { input, value } = await client().getTransaction({ hash })
    // Code, its length, the schema's number, and the marker.
    expect(input).toBe(`${stringToHex(code)}0b00${MARKER}`)
    expect(value).toBe(parseEther('0.01'))
    const again = await fetch(new URL('/v1/agents/builder-codes', at.apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: at.accounts[0]!.address }),
    })
    expect(await again.json()).toMatchObject({ builderCode: code })
    await client().seal()
    await reads(/^Sealed/)
  })
})

describe('trouble', () => {
  test('given a wallet whose user says no, then nothing was sent and the next tip goes', async () => {
    await setRefusing(true)
    await press('Tip 0.01 ETH')
    await warned(/^You said no in your wallet/)
    await setRefusing(false)
    await preconfirmedTip()
    await unwarned()
    await client().seal()
    await reads(/^Sealed/)
  })

  test('given a pre-confirmation that is dropped, then it is said and the tip can be sent again', async () => {
    const before = await jar()
    await preconfirmedTip()
    await client().rollback({ depth: 0 })
    await reads(/^The chain dropped your tip/)
    expect(await jar()).toBe(before)
    await preconfirmedTip()
    await client().seal()
    await reads(/^Sealed/)
    expect(await jar()).toBe(before + parseEther('0.01'))
  })

  test('given a reorganization of its block, then it is said and the tip can be sent again', async () => {
    const before = await jar()
    await preconfirmedTip()
    await client().seal()
    await reads(/^Sealed/)
    await client().reorganize({ depth: 1 })
    await reads(/^The chain dropped your tip/)
    expect(await jar()).toBe(before)
    await preconfirmedTip()
  })

  test('given a chain that is down, then it is said, and the tip on its way is shown when it is back', async () => {
    const { id } = await devnet.faults!.inject('link:client-l2', 'down')
    await warned(/^The chain does not answer/)
    await devnet.faults!.clear(id)
    await unwarned()
    await client().seal()
    await reads(/^Sealed/)

    const again = await devnet.faults!.inject('link:client-l2', 'down')
    await press('Tip 0.01 ETH')
    // No tip is followed any more: what warns is the one that could not be sent.
    await page.locator('output').waitFor({ state: 'detached' })
    await warned(/^The chain does not answer/)
    await devnet.faults!.clear(again.id)
    await preconfirmedTip()
    await unwarned()
  })

  test('given no API for builder codes, then tips go on and the code is had later', async () => {
    await page.reload()
    await reads(/^You are/)
    const { id } = await devnet.faults!.inject('link:client-api', 'down')
    await press('Get a builder code')
    await warned(/^Builder codes cannot be had just now/)
    await preconfirmedTip()
    await devnet.faults!.clear(id)
    await press('Get a builder code')
    await reads(/^Tips credit bc_/)
    await unwarned()
  })

  test('given all of it, then no error went uncaught and axe finds nothing', async () => {
    expect(uncaught).toEqual([])
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  })
})
