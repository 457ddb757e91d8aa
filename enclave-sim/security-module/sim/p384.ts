import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { p384 } from '@noble/curves/nist.js'
import { type Rng, systemRng } from '#protocol/random/rng'

const SIZE = 48

/**
 * A key of this Rng's: the same seed gives the same, which Node's own key pairs do not. Where nobody can repeat
 * it, it is Node's: the first of the others takes 40 ms, in which a devnet's enclaves would wait to boot.
 */
export function drawnKey(rng: Rng): KeyObject {
  if (rng === systemRng) return generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const d = p384.utils.randomSecretKey(rng.bytes(p384.lengths.seed!))
  const point = p384.getPublicKey(d, false)
  const [x, y] = [point.subarray(1, 1 + SIZE), point.subarray(1 + SIZE)]
  const jwk = { kty: 'EC', crv: 'P-384', ...inBase64({ d, x, y }) }
  return createPrivateKey({ format: 'jwk', key: jwk })
}

/**
 * ECDSA with SHA-384 whose nonce follows from key and message (RFC 6979), as Node's does not: what a simulated
 * hypervisor signs goes into blocks of L1, and a world repeats to the byte.
 * @param rng of the key, where that may be one that nobody repeats
 * @returns r and s, 48 bytes each
 */
export function signSha384(message: Uint8Array, key: KeyObject, rng?: Rng): Uint8Array {
  if (rng === systemRng) return sign('sha384', message, { key, dsaEncoding: 'ieee-p1363' })
  const d = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url')
  return p384.sign(message, d, { lowS: false })
}

const inBase64 = (parts: Record<string, Uint8Array>) =>
  Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]),
  )
