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

/** Three wallets nobody registered before, each registered twice. */
export const registeredWallets: Scene<RegisteredWallet[]> = {
  name: 'registered wallets',
  kind: 'observation',
  build: ({ api }) =>
    Promise.all(
      [1, 2, 3].map(async () => {
        const wallet = freshWallet()
        const first = await postRegistration(api, { walletAddress: wallet })
        return { wallet, first, second: await postRegistration(api, { walletAddress: wallet }) }
      }),
    ),
}

/** An address that is new in every run: a database keeps what earlier runs registered. */
export function freshWallet(): Hex {
  return getAddress(`0x${randomBytes(20).toString('hex')}`)
}
