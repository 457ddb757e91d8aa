import type { Page } from '@playwright/test'
import { type Address, BaseError, numberToHex } from 'viem'
import type { TestScene } from '../scene/test-scene.ts'
import { WALLET_BINDING, WALLET_EVENT, WALLET_SCRIPT } from './wallet-script.ts'

/** What a page asks of a wallet. */
export interface WalletRequest {
  method: string
  params?: readonly unknown[]
}

/** The wallet of a page under test, and its user. It signs with keys of the devnet, and asks nobody. */
export interface PageWallet {
  /** The account that the page is shown once it is let in. */
  readonly address: Address
  /** Everything that the page has asked so far. */
  readonly requests: readonly WalletRequest[]
  /**
   * Its user takes another of the devnet's ten accounts; a page that was let in hears `accountsChanged`.
   * @param index 0 to 9
   * @throws RollbedError NO_SUCH_ACCOUNT
   */
  switchTo(index: number): Promise<void>
  /**
   * Its user says no to what asks a user (to be let in, to sign, to send, another chain): error 4001.
   * @param which only the next such request, all from now on, or none any more. Default: the next
   */
  refuse(which?: 'next' | 'all' | 'none'): void
  /** Its user shuts the page out again; it hears `accountsChanged` with no account. */
  disconnect(): Promise<void>
}

/** What a wallet asks its user about. */
const ASKS_THE_USER =
  /^(eth_requestAccounts|eth_sendTransaction|eth_sign.*|personal_sign|wallet_(requestPermissions|sendCalls|switchEthereumChain|addEthereumChain|watchAsset))$/

/** What it signs with the key of an account. */
const SIGNS = /^(eth_sendTransaction|eth_sign.*|personal_sign|wallet_sendCalls)$/

/** Codes of EIP-1193 and EIP-3085. */
const REFUSED = 4001
const UNAUTHORIZED = 4100
const UNKNOWN_CHAIN = 4902

class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Puts a wallet into a page, before any script of the page's own runs.
 * @throws Refusal; what the page asks does, where its user says no or it was not let in for who is to sign
 * @throws RollbedError NO_SUCH_ACCOUNT; switchTo does
 */
export async function openPageWallet(
  page: Pick<Page, 'addInitScript' | 'evaluate' | 'exposeFunction'>,
  { client, walletOf, chain }: Pick<TestScene, 'client' | 'walletOf' | 'chain'>,
): Promise<PageWallet> {
  const requests: WalletRequest[] = []
  let { address } = walletOf(0).account
  let isLetIn = false
  let refuses: 'next' | 'all' | 'none' = 'none'
  const shown = () => (isLetIn ? [address] : [])
  const tell = (event: string, value: unknown) =>
    page.evaluate(`window.${WALLET_EVENT}?.('${event}', ${JSON.stringify(value)})`)

  const answer = async ({ method, params = [] }: WalletRequest): Promise<unknown> => {
    if (ASKS_THE_USER.test(method) && refuses !== 'none') {
      if (refuses === 'next') refuses = 'none'
      throw new Refusal(REFUSED, 'The user refused the request.')
    }
    if (method === 'eth_requestAccounts') isLetIn = true
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return shown()
    if (method === 'wallet_requestPermissions') {
      isLetIn = true
      return [{ parentCapability: 'eth_accounts' }]
    }
    if (method === 'wallet_switchEthereumChain') return switched(params[0], chain.id)
    if (SIGNS.test(method)) requireOwn(signerOf(method, params, shown()), shown())
    return await client.request({ method, params } as never, { retryCount: 0 })
  }

  await page.exposeFunction(WALLET_BINDING, async (request: WalletRequest) => {
    requests.push(request)
    try {
      return { result: (await answer(request)) ?? null }
    } catch (error) {
      return { error: asProviderError(error) }
    }
  })
  await page.addInitScript(WALLET_SCRIPT)
  return {
    get address() {
      return address
    },
    requests,
    async switchTo(index) {
      address = walletOf(index).account.address
      if (isLetIn) await tell('accountsChanged', shown())
    },
    refuse(which = 'next') {
      refuses = which
    },
    async disconnect() {
      isLetIn = false
      await tell('accountsChanged', [])
    },
  }
}

function switched(wanted: unknown, id: number): null {
  if (Object(wanted).chainId === numberToHex(id)) return null
  throw new Refusal(UNKNOWN_CHAIN, `This wallet knows chain ${numberToHex(id)} alone.`)
}

/** Whom a page asks to sign; calls that name nobody are those of the account that it is shown. */
function signerOf(
  method: string,
  [first, second]: readonly unknown[],
  [account]: readonly Address[],
): unknown {
  if (method === 'personal_sign') return second
  if (method === 'wallet_sendCalls') return Object(first).from ?? account
  return typeof first === 'object' ? Object(first).from : first
}

function requireOwn(from: unknown, shown: readonly Address[]): void {
  if (shown.some((each) => each.toLowerCase() === String(from).toLowerCase())) return
  throw new Refusal(UNAUTHORIZED, `The page was not let in for ${from}.`)
}

/** What the node said, with its code and data, and not viem's words around it. */
function asProviderError(error: unknown): { code: number; message: string; data?: unknown } {
  const cause =
    error instanceof BaseError ? error.walk((each) => typeof Object(each).code === 'number') : error
  const { code = -32603, message, details, data } = Object(cause ?? error)
  return { code, message: String(details ?? message), data }
}
