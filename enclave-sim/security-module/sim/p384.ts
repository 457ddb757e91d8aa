import { createPrivateKey, type KeyObject } from 'node:crypto'
import { p384 } from '@noble/curves/nist.js'
import type { Rng } from '#protocol/random/rng'

const SIZE = 48
/**
 * Bits of a key that a table of multiples takes at once. By default it is made for thousands of signatures, which
 * takes 40 ms at the first: a devnet starts with one.
 */
const WINDOW = 4
p384.Point.BASE.precompute(WINDOW, true)

/** A key of this Rng's: the same seed gives the same, which Node's own key pairs do not. */
export function drawnKey(rng: Rng): KeyObject {
  const d = p384.utils.randomSecretKey(rng.bytes(p384.lengths.seed!))
  const point = p384.getPublicKey(d, false)
  const [x, y] = [point.subarray(1, 1 + SIZE), point.subarray(1 + SIZE)]
  const jwk = { kty: 'EC', crv: 'P-384', ...inBase64({ d, x, y }) }
  return createPrivateKey({ format: 'jwk', key: jwk })
}

/**
 * ECDSA with SHA-384 whose nonce follows from key and message (RFC 6979), as Node's does not: what a simulated
 * hypervisor signs goes into blocks of L1, and a world repeats to the byte.
 * @returns r and s, 48 bytes each
 */
export function signSha384(message: Uint8Array, key: KeyObject): Uint8Array {
  const d = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url')
  return p384.sign(message, d, { lowS: false })
}

const inBase64 = (parts: Record<string, Uint8Array>) =>
  Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]),
  )
