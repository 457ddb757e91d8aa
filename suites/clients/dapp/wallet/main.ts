import { BaseError, createWalletClient, type Hex, HttpRequestError, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/**
 * A wallet for tests, put into a page before its own scripts: it announces itself as browser wallets
 * do (EIP-6963), signs with a key of the devnet, and never asks anybody.
 */

interface WalletSettings {
  privateKey: Hex
  rpcUrl: string
  /** Says no to every request, as its user might. */
  refuses: boolean
}

interface Asked {
  method: string
  params?: [{ to?: Hex; value?: Hex; data?: Hex }]
}

declare global {
  interface Window {
    testWallet: WalletSettings
  }
}

/** Codes of EIP-1193. */
const REFUSED = 4001
const CHAIN_DISCONNECTED = 4901
/** A site that was let in once is let in after a reload, too. */
const GRANTED = 'test-wallet.granted'
const ASKS_THE_USER = ['eth_requestAccounts', 'eth_sendTransaction']

const { privateKey, rpcUrl } = window.testWallet
const account = privateKeyToAccount(privateKey)
const client = createWalletClient({ account, transport: http(rpcUrl, { retryCount: 0 }) })

async function answer({ method, params }: Asked): Promise<unknown> {
  if (window.testWallet.refuses && ASKS_THE_USER.includes(method)) {
    throw Object.assign(new Error('The user said no.'), { code: REFUSED })
  }
  if (method === 'eth_requestAccounts') localStorage.setItem(GRANTED, 'yes')
  if (method === 'eth_requestAccounts' || method === 'eth_accounts') {
    return localStorage.getItem(GRANTED) ? [account.address] : []
  }
  if (method === 'eth_sendTransaction') {
    const { to, value = '0x0', data } = params![0]
    return await client.sendTransaction({ chain: null, to, value: BigInt(value), data })
  }
  return await client.request({ method, params } as never)
}

const provider = {
  async request(asked: Asked) {
    try {
      return await answer(asked)
    } catch (error) {
      const isDown = error instanceof BaseError && error.walk((e) => e instanceof HttpRequestError)
      throw isDown
        ? Object.assign(new Error('The chain is down.'), { code: CHAIN_DISCONNECTED })
        : error
    }
  },
  on() {},
  removeListener() {},
}

const announce = () =>
  window.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', {
      detail: Object.freeze({
        info: {
          uuid: '0d1c7c0e-7a3e-4d0b-9d55-5b1f6c3a9e10',
          name: 'Test wallet',
          icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
          rdns: 'example.test-wallet',
        },
        provider,
      }),
    }),
  )
window.addEventListener('eip6963:requestProvider', announce)
announce()
