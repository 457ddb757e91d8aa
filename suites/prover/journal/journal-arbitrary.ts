import fc from 'fast-check'
import { bytesToHex, type Hex } from 'viem'
import type { Journal } from '#protocol/journal/journal'

/** Hex of a fixed number of bytes; zeros and ones come up often, since mistakes hide there. */
export const hexOf = (size: number): fc.Arbitrary<Hex> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.uint8Array({ minLength: size, maxLength: size }) },
      { weight: 1, arbitrary: fc.constant(new Uint8Array(size)) },
      { weight: 1, arbitrary: fc.constant(new Uint8Array(size).fill(0xff)) },
    )
    .map((bytes) => bytesToHex(bytes))

export const hash = hexOf(32)
export const uint64 = fc.bigInt(0n, (1n << 64n) - 1n)

/** Any journal that has a packed form, sensible or not. */
export const journals: fc.Arbitrary<Journal> = fc.record({
  proposer: hexOf(20),
  l1OriginHash: hash,
  prevOutputRoot: hash,
  startingL2Block: uint64,
  outputRoot: hash,
  endingL2Block: uint64,
  intermediateRoots: fc.array(hash, { maxLength: 9 }),
  configHash: hash,
  teeImageHash: hash,
})
