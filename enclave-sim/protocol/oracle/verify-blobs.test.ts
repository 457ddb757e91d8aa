import { createHash } from 'node:crypto'
import { concatBytes, hexToBytes, setLengthLeft } from '@ethereumjs/util'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { blobPreimages, toVersionedHash } from './blob-preimages.ts'
import { keccakKey } from './preimage-key.ts'
import type { BlobSidecar, Preimage, PreimageOracle } from './preimage-oracle.ts'
import { recordingOracle } from './recording-oracle.ts'
import { verifiedOracle } from './verified-oracle.ts'

const INFINITY = hexToBytes(`0xc0${'00'.repeat(47)}`)

/** A constant polynomial needs no trusted setup: it commits to value · G, and its quotient is zero. */
function constantBlob(value: bigint): BlobSidecar {
  const element = setLengthLeft(Uint8Array.of(Number(value)), 32)
  return {
    blob: concatBytes(...Array.from({ length: 4096 }, () => element)),
    commitment: bls12_381.G1.Point.BASE.multiply(value).toBytes(true),
    proof: INFINITY,
  }
}

const sidecar = constantBlob(5n)
const hash = toVersionedHash(sidecar.commitment)
const preimages = blobPreimages(sidecar)
const withValue = (at: number, value: Uint8Array): Preimage[] =>
  preimages.map((preimage, i) => (i === at ? { ...preimage, value } : preimage))
const four = setLengthLeft(Uint8Array.of(4), 32)

/** Microseconds of CPU that it takes. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}

describe('given the preimages of a blob', () => {
  it('when all are there, in any order, then the blob can be read', async () => {
    const other = constantBlob(77n)
    const all = [...blobPreimages(other), ...preimages].reverse()
    const oracle = verifiedOracle(all)
    expect((await oracle.blob(hash, 0n)).blob).toEqual(sidecar.blob)
    const found = await oracle.blob(toVersionedHash(other.commitment), 0n)
    expect(found.blob).toEqual(other.blob)
  })

  it.each<[string, Preimage[]]>([
    ['a changed field element', withValue(1, four)],
    ['a changed last field element', withValue(4096, four)],
    ['a field element beyond the modulus', withValue(1, new Uint8Array(32).fill(0xff))],
    ['a field element of 31 bytes', withValue(1, four.subarray(1))],
    ['another proof', withValue(4097, sidecar.commitment)],
    ['no proof', preimages.slice(0, -1)],
    ['one field element less', preimages.filter((_, i) => i !== 2000)],
    ['no commitment', preimages.slice(1)],
    ['two values swapped for those of another blob', swapped()],
    ['a forged copy before a value', [{ ...preimages[1]!, value: four }, ...preimages]],
    ['a forged copy behind a value', [...preimages, { ...preimages[1]!, value: four }]],
  ])('when there is %s, then all of it is refused (OPEN-66…68, SAFE-05)', (_name, list) => {
    expect(() => verifiedOracle(list)).toThrow('preimage cannot be verified for key 0x05')
  })

  it('when one of two blobs is changed, then a value of that one is named', () => {
    const named = `0x05${Buffer.from(preimages[1]!.key.data).toString('hex')}`
    const both = [...blobPreimages(constantBlob(77n)), ...withValue(2, four)]
    expect(() => verifiedOracle(both)).toThrow(`preimage cannot be verified for key ${named}`)
  })

  it('when the commitment is not what its key says, then it is refused (PIPE-08)', () => {
    const other = constantBlob(6n).commitment
    expect(() => verifiedOracle(withValue(0, other))).toThrow('mismatch for key 0x04')
  })

  it('when its commitment is there many times, then it is verified once', () => {
    const many = Array.from({ length: 1000 }, () => preimages[0]!)
    const proof = preimages.at(-1)!
    const stray = { key: { ...proof.key, data: new Uint8Array(31) }, value: proof.value }
    // A thousand verifications would take a thousand times as long as the first run below.
    const once = cpuOf(() => verifiedOracle(blobPreimages(constantBlob(9n))))
    const often = cpuOf(() =>
      expect(() => verifiedOracle([...many, ...preimages, stray])).toThrow('key 0x05'),
    )
    expect(often).toBeLessThan(once * 200)
  })

  it('when another blob is asked for, then there is none', async () => {
    const oracle = verifiedOracle(preimages)
    const version2 = `0x02${hash.slice(4)}` as const
    for (const missing of [version2, toVersionedHash(INFINITY)]) {
      await expect(oracle.blob(missing, 0n)).rejects.toMatchObject({ code: 'PREIMAGE_MISSING' })
    }
  })

  it('when a value of 48 bytes that is no commitment is there too, then it does no harm', () => {
    const value = new Uint8Array(48).fill(3)
    const data = Uint8Array.from(createHash('sha256').update(value).digest()).subarray(1)
    expect(() =>
      verifiedOracle([{ key: { type: 'sha256', data }, value }, ...preimages]),
    ).not.toThrow()
  })
})

// OP specs, Fault Proof, "Type 5"; roots of unity bit-reversed as EIP-4844 orders a blob's values.
it('given a blob, when its keys are made, then they are the published hashes of commitment and point', () => {
  const modulus = bls12_381.fields.Fr.ORDER
  // 1, then w^2048, w^1024 and w^3072 of the root w of order 4096.
  const w = power(7n, (modulus - 1n) / 4096n, modulus)
  const points = [0n, 2048n, 1024n, 3072n].map((exponent) => power(w, exponent, modulus))
  expect(points.slice(0, 2)).toEqual([1n, modulus - 1n])
  for (const [i, z] of points.entries()) {
    const point = hexToBytes(`0x${z.toString(16).padStart(64, '0')}`)
    const expected = keccakKey(keccak256(concatBytes(sidecar.commitment, point))).data
    expect(preimages[i + 1]!.key).toEqual({ type: 'blob', data: expected })
  }
  expect(preimages).toHaveLength(4098)
  expect(preimages[0]!.key.data).toEqual(hexToBytes(hash).subarray(1))
})

it('given a blob read twice, when recorded, then its preimages are in the witness once', async () => {
  const backend: Partial<PreimageOracle> = { blob: async () => sidecar }
  const recorder = recordingOracle(backend as PreimageOracle)
  await recorder.blob(hash, 7n)
  await recorder.blob(hash, 7n)
  expect(recorder.preimages()).toEqual(preimages)
})

function swapped(): Preimage[] {
  const other = blobPreimages(constantBlob(9n))
  const [mine, theirs] = [preimages[8]!, other[8]!]
  return [...preimages, ...other].map((preimage) => {
    if (preimage === mine) return { ...mine, value: theirs.value }
    if (preimage === theirs) return { ...theirs, value: mine.value }
    return preimage
  })
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
