import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { HALF_ORDER, recoverAddress } from '../crypto/recover-address.ts'
import type { Address } from '../types/bytes.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

/** r ‖ s, 64 bytes. */
export function signatureBytes(r: bigint, s: bigint): Uint8Array {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  return hexToBytes(`0x${word(r)}${word(s)}`)
}

/**
 * The sender of a signed transaction.
 * @param message what was hashed and signed; it is hashed before anything else is done
 * @throws TransactionMalformed SIGNATURE_HIGH_S, SIGNATURE_INVALID
 */
export function recoverSender(message: Uint8Array, r: bigint, s: bigint, yParity: 0 | 1): Address {
  // EIP-2: of the two signatures of a message only the one with the lower s counts.
  if (s > HALF_ORDER) {
    throw new TransactionMalformed('SIGNATURE_HIGH_S', 'The signature has a high s (EIP-2).')
  }
  const sender = recoverAddress(keccak256(message), signatureBytes(r, s), yParity)
  if (sender === undefined) {
    throw new TransactionMalformed('SIGNATURE_INVALID', 'The signature belongs to no key.')
  }
  return sender
}
