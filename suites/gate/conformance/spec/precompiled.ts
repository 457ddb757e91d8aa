import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { concatHex, hexToBytes, numberToHex, padHex, toHex } from 'viem'
import type { Hex } from '../wire/hex.ts'
import { addressOfKey, keccak256, sha256 } from './hash.ts'

/** A call to a precompile, and what it returns. */
export interface Precompiled {
  to: Hex
  data: Hex
  returned: Hex
}

const at = (index: number) => numberToHex(index, { size: 20 })
const word = (value: bigint) => numberToHex(value, { size: 32 })

/** Precompiles that every chain has (yellow paper, appendix E), with results by @noble. */
export function precompiledOf(given: Hex): Precompiled[] {
  return [
    { to: at(2), data: given, returned: sha256(given) },
    { to: at(4), data: given, returned: given },
    // Nobody signed it.
    { to: at(1), data: `0x${'00'.repeat(128)}`, returned: '0x' },
    { to: at(1), ...signedBy(given) },
    { to: at(3), data: given, returned: padHex(toHex(ripemd160(hexToBytes(given))), { size: 32 }) },
    { to: at(5), ...power(3n, 2n ** 70n + 1n, 2n ** 200n - 75n) },
    { to: at(6), data: concatHex([ONCE, TWICE]), returned: pointOf(3n) },
    { to: at(7), data: concatHex([ONCE, word(5n)]), returned: pointOf(5n) },
    // No pairs: their product is one.
    { to: at(8), data: '0x', returned: word(1n) },
    { to: at(9), ...lastBlockOfBlake(given) },
  ]
}

/** Precompiles of later forks: a chain may have none of them. */
export function laterPrecompiled(given: Hex): Precompiled[] {
  const [one, two, three] = [1n, 2n, 3n].map(blsPointOf)
  return [
    { to: at(0x0b), data: concatHex([one!, two!]), returned: three! },
    { to: at(0x0c), data: concatHex([one!, word(3n)]), returned: three! },
    { to: at(0x100), ...signedOnP256(given) },
  ]
}

/** P256VERIFY (EIP-7951): hash, r, s, and the key's x and y. */
function signedOnP256(given: Hex): Omit<Precompiled, 'to'> {
  const key = hexToBytes(keccak256(given))
  const hash = sha256(given)
  const signature = toHex(p256.sign(hexToBytes(hash), key, { prehash: false }))
  const point = toHex(p256.getPublicKey(key, false).subarray(1))
  return { data: concatHex([hash, signature, point]), returned: word(1n) }
}

/** A multiple of the generator of BLS12-381's G1 (EIP-2537): x and y, in 64 bytes each. */
function blsPointOf(times: bigint): Hex {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(times).toAffine()
  return concatHex([x, y].map((each) => numberToHex(each, { size: 64 })))
}

/** ECRECOVER: hash, v, r and s. */
function signedBy(given: Hex): Omit<Precompiled, 'to'> {
  const key = hexToBytes(keccak256(given))
  const hash = sha256(given)
  const signature = secp256k1.sign(hexToBytes(hash), key, { prehash: false, format: 'recovered' })
  const [recovery, rs] = [BigInt(signature[0]!), toHex(signature.subarray(1))]
  const signer = addressOfKey(secp256k1.getPublicKey(key, false))
  return {
    data: concatHex([hash, word(27n + recovery), rs]),
    returned: padHex(signer, { size: 32 }),
  }
}

/** MODEXP (EIP-198): three lengths, then base, exponent and modulus. */
function power(base: bigint, exponent: bigint, modulus: bigint): Omit<Precompiled, 'to'> {
  let result = 1n
  for (const bit of exponent.toString(2))
    result = (((result * result) % modulus) * (bit === '1' ? base : 1n)) % modulus
  return {
    data: concatHex([...[32n, 32n, 32n], base, exponent, modulus].map((each) => word(each))),
    returned: word(result),
  }
}

/** A multiple of alt_bn128's generator (EIP-196): x and y. */
function pointOf(times: bigint): Hex {
  const { x, y } = bn254.G1.Point.BASE.multiply(times).toAffine()
  return concatHex([word(x), word(y)])
}
const [ONCE, TWICE] = [pointOf(1n), pointOf(2n)]

/** First words of SHA-512's state, as BLAKE2b begins with (RFC 7693), the first with the length of the hash. */
const BEGIN = [
  ...[0x6a09e667f2bdc948n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n],
  ...[0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n],
]
const ROUNDS = 12

/** BLAKE2F (EIP-152) of the only block of a short message, which is its hash. */
function lastBlockOfBlake(message: Hex): Omit<Precompiled, 'to'> {
  const bytes = hexToBytes(message)
  const data = concatHex([
    numberToHex(ROUNDS, { size: 4 }),
    ...BEGIN.map(littleEndian),
    padHex(message, { dir: 'right', size: 128 }),
    littleEndian(BigInt(bytes.length)),
    littleEndian(0n),
    '0x01',
  ])
  return { data, returned: toHex(blake2b(bytes)) }
}

const littleEndian = (value: bigint) =>
  toHex(hexToBytes(numberToHex(value, { size: 8 })).toReversed())
