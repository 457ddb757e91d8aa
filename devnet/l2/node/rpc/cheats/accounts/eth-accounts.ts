import type { CheatMethod } from '../cheat-rpc.ts'

/** `eth_accounts []`: the dev accounts, and the impersonated ones. */
export const ethAccounts: CheatMethod = ({ accounts }) => accounts.addresses()
