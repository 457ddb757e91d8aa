import { concatBytes } from '@ethereumjs/util'
import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { encodeRlp } from '../bytes/encode-rlp.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { HALF_ORDER, recoverAddress } from '../crypto/recover-address.ts'
import type { Address } from '../types/bytes.ts'
import type { Authorization } from '../types/transaction.ts'
import { address, type Field, list, listOf, quantity } from './rlp-fields.ts'
import { signatureBytes } from './signature.ts'
import { TransactionMalformed } from './transaction-malformed.ts'

const MAGIC = Uint8Array.of(0x05)

/**
 * The authorization list of EIP-7702; an empty one makes the transaction invalid.
 * @throws TransactionMalformed
 */
export function authorizationList(field: Field): Authorization[] {
  const entries = list(field, 'authorization list')
  if (entries.length === 0) {
    throw new TransactionMalformed(
      'AUTHORIZATION_LIST_EMPTY',
      'A set-code transaction needs at least one authorization.',
    )
  }
  return entries.map((entry) => {
    const [chainId, delegate, nonce, yParity, r, s] = listOf(entry, 6, 'authorization')
    return {
      chainId: quantity(chainId, 'authorization chain id', 32),
      address: address(delegate, 'authorization address'),
      nonce: quantity(nonce, 'authorization nonce', 8),
      yParity: quantity(yParity, 'authorization parity', 1),
      r: quantity(r, 'authorization r', 32),
      s: quantity(s, 'authorization s', 32),
    }
  })
}

/** Who signed an authorization (EIP-7702); undefined when its signature is of nobody. */
export function recoverAuthority(authorization: Authorization): Address | undefined {
  const { chainId, address: delegate, nonce, yParity, r, s } = authorization
  if (yParity > 1n || s > HALF_ORDER) return undefined
  const message = encodeRlp([bigIntToBytes(chainId), hexToBytes(delegate), bigIntToBytes(nonce)])
  return recoverAddress(
    keccak256(concatBytes(MAGIC, message)),
    signatureBytes(r, s),
    Number(yParity),
  )
}
