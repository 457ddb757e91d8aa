import type { TransactionSerializable } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { chainConfig } from 'viem/op-stack'
import { signWithKey } from '#devnet/l2/node/rpc/cheats/sign-with-key'
import type { Hex } from '#protocol/types/bytes'

/** By their keys: to find the address of one takes as long as to sign. */
const known = new Map<Hex, PrivateKeyAccount>()

/**
 * The account of a key. It signs transactions with native code, to the byte as viem's own does: that is a tenth
 * of what a short test takes.
 */
export function accountOf(privateKey: Hex): PrivateKeyAccount {
  const account = known.get(privateKey) ?? nativeAccount(privateKey)
  known.set(privateKey, account)
  return account
}

/** Those of L2; of blobs only the hashes are signed, and of deposits nothing. */
const TYPES: ReadonlySet<unknown> = new Set(['legacy', 'eip2930', 'eip1559', 'eip7702'])
const SERIALIZERS: ReadonlySet<unknown> = new Set([undefined, chainConfig.serializers.transaction])

function nativeAccount(privateKey: Hex): PrivateKeyAccount {
  const account = privateKeyToAccount(privateKey)
  return {
    ...account,
    async signTransaction(transaction, options) {
      if (!TYPES.has(transaction.type) || !SERIALIZERS.has(options?.serializer)) {
        return await account.signTransaction(transaction, options)
      }
      return signWithKey(transaction as TransactionSerializable, privateKey)
    },
  }
}
