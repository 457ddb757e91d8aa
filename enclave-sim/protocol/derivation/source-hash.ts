import { bigIntToBytes, concatBytes, setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import type { Hash } from '../types/bytes.ts'

/** Where a deposit comes from. */
export const DepositSource = { user: 0n, l1Attributes: 1n } as const

/**
 * What makes two equal deposits different. OP spec, Deposits: "Source hash computation".
 * @param index of a user deposit: of its log in the L1 block; of L1 attributes: the sequence number
 */
export function sourceHash(domain: bigint, l1BlockHash: Hash, index: bigint): Hash {
  const origin = keccak256(concatBytes(hexToBytes(l1BlockHash), word(index)))
  return bytesToHex(keccak256(concatBytes(word(domain), origin)))
}

function word(value: bigint): Uint8Array {
  return setLengthLeft(bigIntToBytes(value), 32)
}
