import { bigIntToBytes, generateAddress } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Address } from '../types/bytes.ts'

/** Where a transaction of `from` with this nonce would put the contract it creates. */
export function createdAddress(from: Address, nonce: bigint): Address {
  return bytesToHex(generateAddress(hexToBytes(from), bigIntToBytes(nonce)))
}
