import { encodeRlp, type RlpItem } from '#protocol/bytes/encode-rlp'
import { keccak256Hex } from '#protocol/crypto/keccak'
import type { SignedTransaction } from '#protocol/types/transaction'
import type { CallObject } from '../calls/call-object.ts'

const NOTHING = new Uint8Array(0)

/**
 * The transaction a simulated call stands for: type 2 unless its fields say otherwise, with a
 * signature of zeros (execution-apis, eth_simulateV1 notes).
 */
export function simulatedTransaction(
  call: CallObject,
  { gas, nonce, chainId }: { gas: bigint; nonce: bigint; chainId: bigint },
): SignedTransaction {
  const transaction: SignedTransaction = {
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
    raw: NOTHING,
    hash: '0x',
  }
  transaction.raw = encodeUnsigned(transaction)
  transaction.hash = keccak256Hex(transaction.raw)
  return transaction
}

function typeOf(call: CallObject): 0 | 1 | 2 | 4 {
  if (call.authorizationList) return 4
  if (call.gasPrice === undefined) return 2
  return call.accessList ? 1 : 0
}

function encodeUnsigned(transaction: SignedTransaction): Uint8Array {
  const { type, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const { nonce, gas, to, value, data } = transaction
  const payload: RlpItem[] = [gas, to ?? '0x', value, data]
  const signature = [0n, 0n, 0n]
  if (type === 0) return encodeRlp([nonce, maxFeePerGas, ...payload, ...signature])
  const accessList = transaction.accessList.map((entry) => [entry.address, entry.storageKeys])
  const fees = type === 1 ? [maxFeePerGas] : [maxPriorityFeePerGas, maxFeePerGas]
  const authorizations = transaction.authorizationList.map((authorization) => {
    const { chainId, address, nonce, yParity, r, s } = authorization
    return [chainId, address, nonce, yParity, r, s]
  })
  const fields = [
    transaction.chainId ?? 0n,
    nonce,
    ...fees,
    ...payload,
    accessList,
    ...(type === 4 ? [authorizations] : []),
    ...signature,
  ]
  return encodeRlp(fields, type)
}
