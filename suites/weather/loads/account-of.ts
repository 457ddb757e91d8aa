import type { Hex, LocalAccount, TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { signWithKey } from '#devnet/l2/node/rpc/cheats/sign-with-key'

/** By their keys: to find the address of one takes as long as to sign. */
const known = new Map<Hex, LocalAccount>()

/** The account of a key, which signs transactions with native code: a run has some two hundred of them. */
export function accountOf(privateKey: Hex): LocalAccount {
  const account = known.get(privateKey) ?? quickAccount(privateKey)
  known.set(privateKey, account)
  return account
}

function quickAccount(privateKey: Hex): LocalAccount {
  return {
    ...privateKeyToAccount(privateKey),
    signTransaction: async (transaction) =>
      signWithKey(transaction as TransactionSerializable, privateKey),
  }
}
