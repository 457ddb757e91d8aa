import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import secp256k1 from 'secp256k1'
import { keccak256, serializeTransaction, type TransactionSerializable } from 'viem'
import { hashAuthorization } from 'viem/utils'
import type { Address, Hex } from '#protocol/types/bytes'

/** Signs with native code, which tens of thousands of transactions need, and encodes with viem. */
export function signTransaction(key: Hex, transaction: TransactionSerializable): Hex {
  const { r, s, yParity } = sign(key, keccak256(serializeTransaction(transaction)))
  return serializeTransaction(transaction, { r, s, yParity, v: BigInt(27 + yParity) })
}

export function signAuthorization(
  key: Hex,
  authorization: { chainId: number; address: Address; nonce: number },
) {
  const { r, s, yParity } = sign(key, hashAuthorization(authorization))
  return { ...authorization, r, s, yParity }
}

function sign(key: Hex, digest: Hex) {
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(digest), hexToBytes(key))
  return {
    r: bytesToHex(signature.subarray(0, 32)),
    s: bytesToHex(signature.subarray(32)),
    yParity: recid,
  }
}
