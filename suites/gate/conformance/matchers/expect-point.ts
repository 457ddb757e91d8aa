import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expectEqual, expectThat } from './expect-equal.ts'

/** A public key as enclaves give it: 04 and a point of secp256k1, 65 bytes (ENC-KIND-02). @throws CaseFailure */
export function expectPoint(key: readonly number[] | Uint8Array, at: string): void {
  expectEqual([key.length, key[0]], [65, 4], `length and first byte of ${at}`)
  expectThat(
    secp256k1.utils.isValidPublicKey(Uint8Array.from(key), false),
    'a point of secp256k1',
    key,
    at,
  )
}
