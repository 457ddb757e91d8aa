import { encode } from '@ethereumjs/rlp'
import { bigIntToUnpaddedBytes, concatBytes, hexToBytes } from '@ethereumjs/util'
import type { DepositTransaction } from '../types/transaction.ts'

const TYPE = Uint8Array.of(0x7e)

/**
 * The EIP-2718 bytes of a deposit. OP spec, Deposits: rlp of sourceHash, from, to, mint, value, gas,
 * isSystemTransaction, data, after the type byte 0x7e.
 */
export function encodeDeposit(
  deposit: Omit<DepositTransaction, 'type' | 'raw' | 'hash'>,
): Uint8Array {
  const fields = [
    hexToBytes(deposit.sourceHash),
    hexToBytes(deposit.from),
    deposit.to === null ? new Uint8Array(0) : hexToBytes(deposit.to),
    bigIntToUnpaddedBytes(deposit.mint),
    bigIntToUnpaddedBytes(deposit.value),
    bigIntToUnpaddedBytes(deposit.gas),
    deposit.isSystemTransaction ? Uint8Array.of(1) : new Uint8Array(0),
    deposit.data,
  ]
  return concatBytes(TYPE, encode(fields))
}
