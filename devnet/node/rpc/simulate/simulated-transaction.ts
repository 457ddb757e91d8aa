import { encode } from '@ethereumjs/rlp'
import { bigIntToUnpaddedBytes, concatBytes, hexToBytes } from '@ethereumjs/util'
import { keccak256Hex } from '../../../../enclave-sim/protocol/crypto/keccak.ts'
import type { SignedTransaction } from '../../../../enclave-sim/protocol/types/transaction.ts'
import type { CallObject } from '../calls/call-object.ts'

const EMPTY = new Uint8Array(0)

/**
 * The transaction a simulated call stands for: type 2 unless its fields say otherwise, with a
 * signature of zeros (execution-apis, eth_simulateV1 notes).
 */
export function simulatedTransaction(
  call: CallObject,
  { gas, nonce, chainId }: { gas: bigint; nonce: bigint; chainId: bigint },
): SignedTransaction {
  const transaction = {
    type: typeOf(call),
    from: call.from,
    to: call.to,
    value: call.value,
    gas,
    data: call.data,
    chainId,
    nonce,
    maxFeePerGas: call.gasPrice ?? call.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: call.gasPrice ?? call.maxPriorityFeePerGas ?? 0n,
    accessList: call.accessList ?? [],
    authorizationList: call.authorizationList ?? [],
    v: 0n,
    yParity: 0,
    r: 0n,
    s: 0n,
  } as const
  const raw = encodeUnsigned(transaction)
  return { ...transaction, raw, hash: keccak256Hex(raw) }
}

function typeOf(call: CallObject): 0 | 1 | 2 | 4 {
  if (call.authorizationList) return 4
  if (call.gasPrice === undefined) return 2
  return call.accessList ? 1 : 0
}

function encodeUnsigned(transaction: Omit<SignedTransaction, 'raw' | 'hash'>): Uint8Array {
  const { type, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const nonce = bigIntToUnpaddedBytes(transaction.nonce)
  const cap = bigIntToUnpaddedBytes(maxFeePerGas)
  const payload = [
    bigIntToUnpaddedBytes(transaction.gas),
    transaction.to === null ? EMPTY : hexToBytes(transaction.to),
    bigIntToUnpaddedBytes(transaction.value),
    transaction.data,
  ]
  const signature = [EMPTY, EMPTY, EMPTY]
  if (type === 0) return encode([nonce, cap, ...payload, ...signature])
  const accessList = transaction.accessList.map(({ address, storageKeys }) => [
    hexToBytes(address),
    storageKeys.map((key) => hexToBytes(key)),
  ])
  const fees = type === 1 ? [cap] : [bigIntToUnpaddedBytes(maxPriorityFeePerGas), cap]
  const authorizations = transaction.authorizationList.map((authorization) => [
    bigIntToUnpaddedBytes(authorization.chainId),
    hexToBytes(authorization.address),
    ...(['nonce', 'yParity', 'r', 's'] as const).map((key) =>
      bigIntToUnpaddedBytes(authorization[key]),
    ),
  ])
  const fields = [
    bigIntToUnpaddedBytes(transaction.chainId ?? 0n),
    nonce,
    ...fees,
    ...payload,
    accessList,
    ...(type === 4 ? [authorizations] : []),
    ...signature,
  ]
  return concatBytes(Uint8Array.of(type), encode(fields))
}
