import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { HALF_ORDER, recoverAddress } from '../crypto/recover-address.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address, Hex } from '../types/bytes.ts'

/**
 * Who signed a journal (SIG-07).
 * @param journal packed bytes
 * @param signature 65 bytes, r ‖ s ‖ v with v 0 or 1
 * @throws SignatureInvalid for any other form, a high s, or when there is no such key
 * @example
 * import { equal } from 'node:assert'
 * import { recoverSigner } from 'rollbed/journal'
 * import { keccak256 } from 'viem'
 * import { privateKeyToAccount, sign } from 'viem/accounts'
 * const journal = new Uint8Array(196)
 * const privateKey = `0x${'01'.repeat(32)}` as const
 * const { r, s, yParity } = await sign({ hash: keccak256(journal), privateKey })
 * const signer = recoverSigner(journal, `${r}${s.slice(2)}0${yParity}` as `0x${string}`)
 * equal(signer, privateKeyToAccount(privateKey).address.toLowerCase())
 */
export function recoverSigner(journal: Uint8Array, signature: Hex): Address {
  const bytes = hexToBytes(signature)
  const [v = 2] = bytes.subarray(64)
  if (bytes.length !== 65 || v > 1) throw new SignatureInvalid()
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  if (s > HALF_ORDER) throw new SignatureInvalid()
  const signer = recoverAddress(keccak256(journal), bytes.subarray(0, 64), v)
  if (signer === undefined) throw new SignatureInvalid()
  return signer
}

export class SignatureInvalid extends RollbedError {
  constructor() {
    super('SIGNATURE_INVALID', 'The signature is not r ‖ s ‖ v with low s and v 0 or 1.')
  }
}
