import { randomBytes } from 'node:crypto'
import { getAddress, type Hex } from 'viem'
import type { Scene } from '../conformance-case.ts'
import { postRegistration } from '../reads/register-code.ts'
import type { HttpReply } from '../wire/http-client.ts'

export interface RegisteredWallet {
  /** EIP-55 form. */
  wallet: Hex
  /** The first registration, and one that followed. */
  first: HttpReply
  second: HttpReply
}

/** Three wallets nobody registered before, each registered twice; they differ by their first or their last digit. */
export const registeredWallets: Scene<RegisteredWallet[]> = {
  name: 'registered wallets',
  kind: 'observation',
  build: ({ api }) =>
    Promise.all(
      neighbours(freshWallet()).map(async (wallet) => {
        const first = await postRegistration(api, { walletAddress: wallet })
        return { wallet, first, second: await postRegistration(api, { walletAddress: wallet }) }
      }),
    ),
}

/** How many wallets are registered beside: more than who keeps what is in use may keep. */
const OTHERS = 64

/** Wallets that are registered after those, one with each last digit four times, and the answer to each. */
export const otherWallets: Scene<Omit<RegisteredWallet, 'second'>[]> = {
  name: 'other wallets',
  kind: 'observation',
  async build({ api, scene }) {
    await scene(registeredWallets)
    const wallets = Array.from({ length: OTHERS }, (_, index) =>
      getAddress(`${freshWallet().slice(0, -1).toLowerCase()}${(index % 16).toString(16)}` as Hex),
    )
    return Promise.all(
      wallets.map(async (wallet) => ({
        wallet,
        first: await postRegistration(api, { walletAddress: wallet }),
      })),
    )
  },
}

/** An address that is new in every run: a database keeps what earlier runs registered. */
export function freshWallet(): Hex {
  return getAddress(`0x${randomBytes(20).toString('hex')}`)
}

/** A wallet, the one with another last digit, and the one with another first digit. */
function neighbours(wallet: Hex): Hex[] {
  const digits = wallet.slice(2).toLowerCase()
  const last: Hex = `0x${digits.slice(0, -1)}${otherDigit(digits.slice(-1))}`
  const first: Hex = `0x${otherDigit(digits.slice(0, 1))}${digits.slice(1)}`
  return [wallet, getAddress(last), getAddress(first)]
}

/** The hex digit beside this one. */
export function otherDigit(digit: string): string {
  return (Number.parseInt(digit, 16) ^ 1).toString(16)
}
