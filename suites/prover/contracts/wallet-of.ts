import {
  type Account,
  type Chain,
  createWalletClient,
  http,
  type Transport,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevKey } from '#fixtures/chain/dev-keys'

/** A viem wallet on a stack's L1. */
export function walletOf(
  rpcUrl: string,
  chain: Chain,
  key: DevKey,
): WalletClient<Transport, Chain, Account> {
  const account = privateKeyToAccount(key.privateKey)
  return createWalletClient({ chain, transport: http(rpcUrl), account })
}
