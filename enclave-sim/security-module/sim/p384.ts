import { createECDH, createHash, createHmac, createPrivateKey, type KeyObject } from 'node:crypto'
import type { Rng } from '#protocol/random/rng'

/** Order of P-384's base point (SEC 2, 2.5.1). */
const ORDER = BigInt(
  '0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
)
const SIZE = 48

/** A key of this Rng's: the same seed gives the same, which Node's own key pairs do not. */
export function drawnKey(rng: Rng): KeyObject {
  const d = bytesOf(1n + (numberOf(rng.bytes(SIZE)) % (ORDER - 1n)))
  const point = pointOf(d)
  const [x, y] = [point.subarray(1, 1 + SIZE), point.subarray(1 + SIZE)]
  const jwk = { kty: 'EC', crv: 'P-384', ...inBase64({ d, x, y }) }
  return createPrivateKey({ format: 'jwk', key: jwk })
}

/**
 * ECDSA with SHA-384 whose nonce follows from key and message, as Node's does not: what a simulated hypervisor signs
 * goes into blocks of L1, and a world repeats to the byte. Of a simulation alone: it takes no care of how long it takes.
 * @returns r and s, 48 bytes each
 */
export function signSha384(message: Uint8Array, key: KeyObject): Uint8Array {
  const d = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url')
  const hash = createHash('sha384').update(message).digest()
  for (let turn = 0; ; turn++) {
    const drawn = createHmac('sha512', d).update(hash).update(Uint8Array.of(turn)).digest()
    const k = 1n + (numberOf(drawn) % (ORDER - 1n))
    const r = numberOf(pointOf(bytesOf(k)).subarray(1, 1 + SIZE)) % ORDER
    const s = (inverse(k) * (numberOf(hash) + r * numberOf(d))) % ORDER
    if (r > 0n && s > 0n) return Buffer.concat([bytesOf(r), bytesOf(s)])
  }
}

/** 4, x, y. */
function pointOf(scalar: Uint8Array): Buffer {
  const curve = createECDH('secp384r1')
  curve.setPrivateKey(scalar)
  return curve.getPublicKey()
}

/** Euclid's, extended. */
function inverse(value: bigint): bigint {
  let [low, high, one, other] = [value % ORDER, ORDER, 1n, 0n]
  while (low > 1n) {
    const times = high / low
    ;[low, high, one, other] = [high % low, low, other - times * one, one]
  }
  return ((one % ORDER) + ORDER) % ORDER
}

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(2 * SIZE, '0'), 'hex')
const inBase64 = (parts: Record<string, Uint8Array>) =>
  Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]),
  )
