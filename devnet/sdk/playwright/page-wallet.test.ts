import { expect, test } from 'vitest'
import { userKeys } from '#fixtures/chain/dev-keys'
import { openPageWallet, type WalletRequest } from './page-wallet.ts'

const [own, other] = userKeys.map(({ address }) => address)
const UNAUTHORIZED = 4100

/** A wallet and what the page asks of it; its chain signs whatever it is asked to. */
async function wallet() {
  let ask: (request: WalletRequest) => Promise<unknown> = async () => undefined
  const pageWallet = await openPageWallet(
    {
      exposeFunction: async (_, binding) => {
        ask = binding as typeof ask
        return undefined as never
      },
      addInitScript: async () => undefined as never,
      evaluate: async () => undefined as never,
    },
    {
      chain: { id: 1 },
      walletOf: (index: number) => ({ account: userKeys[index] }),
      client: { request: async () => 'signed' },
    } as never,
  )
  return { pageWallet, ask: (method: string, ...params: unknown[]) => ask({ method, params }) }
}

const signing = (from?: string): [string, ...unknown[]][] => [
  ['eth_sendTransaction', { from }],
  ['eth_signTransaction', { from }],
  ['eth_sign', from, '0x00'],
  ['personal_sign', '0x00', from],
  ['eth_signTypedData_v4', from, '{}'],
  ['wallet_sendCalls', { from, calls: [] }],
]
const refused = { error: { code: UNAUTHORIZED } }

test.each(signing(own))(
  'given a page that was not let in, then %s is refused',
  async (method, ...params) => {
    const { ask, pageWallet } = await wallet()
    expect(await ask(method, ...params)).toMatchObject(refused)
    await ask('eth_requestAccounts')
    expect(await ask(method, ...params)).toEqual({ result: 'signed' })
    await pageWallet.disconnect()
    expect(await ask(method, ...params)).toMatchObject(refused)
  },
)

test.each(signing(other))(
  'given a page that was let in, when %s is for another account than it is shown, then it is refused until its user takes that one',
  async (method, ...params) => {
    const { ask, pageWallet } = await wallet()
    await ask('eth_requestAccounts')
    expect(await ask(method, ...params)).toMatchObject(refused)
    await pageWallet.switchTo(1)
    expect(await ask(method, ...params)).toEqual({ result: 'signed' })
  },
)

test('given calls that name no account, then they are of the one that the page is shown', async () => {
  const { ask } = await wallet()
  expect(await ask('wallet_sendCalls', { calls: [] })).toMatchObject(refused)
  await ask('eth_requestAccounts')
  expect(await ask('wallet_sendCalls', { calls: [] })).toEqual({ result: 'signed' })
})
