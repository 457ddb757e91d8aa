import { concatBytes } from '@ethereumjs/util'
import { bigIntToBytes } from '../../../../enclave-sim/protocol/bytes/big-int-to-bytes.ts'
import { encodeRlp } from '../../../../enclave-sim/protocol/bytes/encode-rlp.ts'
import { hexToBytes } from '../../../../enclave-sim/protocol/bytes/hex-to-bytes.ts'
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
  const nonce = bigIntToBytes(transaction.nonce)
  const cap = bigIntToBytes(maxFeePerGas)
  const payload = [
    bigIntToBytes(transaction.gas),
    transaction.to === null ? EMPTY : hexToBytes(transaction.to),
    bigIntToBytes(transaction.value),
    transaction.data,
  ]
  const signature = [EMPTY, EMPTY, EMPTY]
  if (type === 0) return encodeRlp([nonce, cap, ...payload, ...signature])
  const accessList = transaction.accessList.map(({ address, storageKeys }) => [
    hexToBytes(address),
    storageKeys.map((key) => hexToBytes(key)),
  ])
  const fees = type === 1 ? [cap] : [bigIntToBytes(maxPriorityFeePerGas), cap]
  const authorizations = transaction.authorizationList.map((authorization) => [
    bigIntToBytes(authorization.chainId),
    hexToBytes(authorization.address),
    ...(['nonce', 'yParity', 'r', 's'] as const).map((key) => bigIntToBytes(authorization[key])),
  ])
  const fields = [
    bigIntToBytes(transaction.chainId ?? 0n),
    nonce,
    ...fees,
    ...payload,
    accessList,
    ...(type === 4 ? [authorizations] : []),
    ...signature,
  ]
  return concatBytes(Uint8Array.of(type), encodeRlp(fields))
}
