import { concatBytes } from '@ethereumjs/util'
import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
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
    bigIntToBytes(deposit.mint),
    bigIntToBytes(deposit.value),
    bigIntToBytes(deposit.gas),
    deposit.isSystemTransaction ? Uint8Array.of(1) : new Uint8Array(0),
    deposit.data,
  ]
  return concatBytes(TYPE, encodeRlp(fields))
}
