import { pad, serializeTransaction, type TransactionSerializable } from 'viem'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { Address } from '#protocol/types/bytes'
import type { AccessListEntry, SignedTransaction } from '#protocol/types/transaction'

const TYPES = { legacy: 0, eip2930: 1, eip1559: 2, eip7702: 4 } as const

/**
 * A transaction in the name of somebody whose key nobody has. Its signature belongs to no key, because
 * s is 0; r is the sender, so that equal transactions of two senders have two hashes.
 */
export function impersonatedTransaction(
  from: Address,
  transaction: TransactionSerializable,
): SignedTransaction {
  const encoded = serializeTransaction(transaction, {
    r: pad(from),
    s: pad('0x00'),
    yParity: 0,
    v: 27n,
  })
  const raw = hexToBytes(encoded)
  const type = TYPES[transaction.type as keyof typeof TYPES]
  const { gasPrice = 0n, maxFeePerGas, maxPriorityFeePerGas } = transaction
  return {
    isImpersonated: true,
    type,
    raw,
    hash: keccak256Hex(raw),
    from,
    to: (transaction.to as Address | undefined) ?? null,
    chainId: BigInt(transaction.chainId!),
    nonce: BigInt(transaction.nonce!),
    gas: transaction.gas!,
    value: transaction.value!,
    data: hexToBytes(transaction.data!),
    maxFeePerGas: maxFeePerGas ?? gasPrice,
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? gasPrice,
    accessList: [...((transaction.accessList ?? []) as AccessListEntry[])],
    authorizationList: (transaction.authorizationList ?? []).map((authorization) => ({
      chainId: BigInt(authorization.chainId),
      address: authorization.address as Address,
      nonce: BigInt(authorization.nonce),
      yParity: BigInt(authorization.yParity!),
      r: BigInt(authorization.r),
      s: BigInt(authorization.s),
    })),
    // EIP-155 with parity 0.
    v: type === 0 ? BigInt(transaction.chainId!) * 2n + 35n : 0n,
    yParity: 0,
    r: BigInt(from),
    s: 0n,
  }
}
