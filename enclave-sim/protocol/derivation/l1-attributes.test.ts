import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { concatHex, encodePacked, keccak256, numberToHex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { decodeL1Attributes, encodeL1Attributes } from './l1-attributes.ts'
import type { SystemConfig } from './rollup-config.ts'

/** Transaction 0 of Base block 50,401,382 (public chain data): Jovian, DA footprint scalar 148. */
const BASE_JOVIAN =
  '0x7ef90106a0f7c95944672f72e31ce06a5c4c46557d4fd4163d4b77455fdf09ef5145e4966294deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000158080830f424080b8b23db6be2b000008dd00101c120000000000000005000000006a8c7d6f00000000018a14c10000000000000000000000000000000000000000000000000000000148b44d7b00000000000000000000000000000000000000000000000000000000105a1b6076a922ba7a2d7a24b78e04f20b2349f94b59f18ab3e746ee2e3ba16999717a8d0000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c90000000000000000000000000094'

/** A Base transaction 0 of July 2025 (public chain data) with its hash: Isthmus. */
const BASE_ISTHMUS =
  '0x7ef90104a06c0c775b6b492bab9d7e81abdf27f77cafb698551226455a82f559e0f93fea3794deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000158080830f424080b8b0098999be000008dd00101c1200000000000000020000000068869d6300000000015f277f000000000000000000000000000000000000000000000000000000000d42ac290000000000000000000000000000000000000000000000000000000000000001abf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d50000000000000000000000005050f69a9786f081509234f1a7f4684b5e5b76c9000000000000000000000000'
const BASE_ISTHMUS_HASH = '0xba56c8b0deb460ff070f8fca8e2ee01e51a3db27841cc862fdd94cc1a47662b6'

const BASE_CONFIG: SystemConfig = {
  batcherAddress: '0x5050f69a9786f081509234f1a7f4684b5e5b76c9',
  gasLimit: 0n,
  // 0x01, blob scalar 0x101c12, base fee scalar 0x8dd.
  scalar: `0x01${'00'.repeat(23)}00101c12000008dd`,
  eip1559Denominator: 0,
  eip1559Elasticity: 0,
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 148,
}

test('given the L1 origin of a Base block under Jovian, its first transaction comes out byte for byte', () => {
  const raw = encodeL1Attributes({
    fork: 'jovian',
    l1: {
      number: 0x18a14c1n,
      timestamp: 0x6a8c7d6fn,
      baseFee: 0x148b44d7bn,
      blobBaseFee: 0x105a1b60n,
      hash: '0x76a922ba7a2d7a24b78e04f20b2349f94b59f18ab3e746ee2e3ba16999717a8d',
    },
    sequenceNumber: 5n,
    systemConfig: BASE_CONFIG,
  })
  expect(bytesToHex(raw)).toBe(BASE_JOVIAN)
})

test('given the L1 origin of a Base block under Isthmus, its first transaction comes out byte for byte', () => {
  const raw = encodeL1Attributes({
    fork: 'isthmus',
    l1: {
      number: 0x15f277fn,
      timestamp: 0x68869d63n,
      baseFee: 0x0d42ac29n,
      blobBaseFee: 1n,
      hash: '0xabf52777e63959936b1bf633a2a643f0da38d63deffe49452fed1bf8a44975d5',
    },
    sequenceNumber: 2n,
    systemConfig: BASE_CONFIG,
  })
  expect(bytesToHex(raw)).toBe(BASE_ISTHMUS)
  expect(keccak256(raw)).toBe(BASE_ISTHMUS_HASH)
})

test('given a Base transaction under Jovian, origin, sequence number and fees are read back', () => {
  const { data } = decodeTransaction(hexToBytes(BASE_JOVIAN))
  expect(decodeL1Attributes(data)).toEqual({
    l1Origin: {
      number: 25_826_497n,
      hash: '0x76a922ba7a2d7a24b78e04f20b2349f94b59f18ab3e746ee2e3ba16999717a8d',
    },
    l1Timestamp: 0x6a8c7d6fn,
    baseFee: 0x148b44d7bn,
    blobBaseFee: 0x105a1b60n,
    sequenceNumber: 5n,
    systemConfig: {
      batcherAddress: BASE_CONFIG.batcherAddress,
      scalar: BASE_CONFIG.scalar,
      operatorFeeScalar: 0,
      operatorFeeConstant: 0n,
      daFootprintGasScalar: 148,
    },
  })
})

test('given any L1 origin, the attributes are what viem packs, and they decode to what went in', () => {
  const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n })
  const hex = (length: number) =>
    fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => bytesToHex(bytes))
  const inputs = fc.record({
    number: uint(64n),
    timestamp: uint(64n),
    baseFee: uint(256n),
    blobBaseFee: uint(256n),
    hash: hex(32),
    sequenceNumber: uint(64n),
    baseFeeScalar: uint(32n),
    blobBaseFeeScalar: uint(32n),
    batcherAddress: hex(20),
    operatorFeeScalar: uint(32n),
    operatorFeeConstant: uint(64n),
    footprint: fc.integer({ min: 0, max: 0xffff }),
  })
  fc.assert(
    fc.property(inputs, (x) => {
      const scalar = concatHex([
        '0x01',
        numberToHex(0, { size: 23 }),
        numberToHex(x.blobBaseFeeScalar, { size: 4 }),
        numberToHex(x.baseFeeScalar, { size: 4 }),
      ])
      const systemConfig = {
        ...BASE_CONFIG,
        batcherAddress: x.batcherAddress,
        scalar,
        operatorFeeScalar: Number(x.operatorFeeScalar),
        operatorFeeConstant: x.operatorFeeConstant,
        daFootprintGasScalar: x.footprint,
      }
      const raw = encodeL1Attributes({
        fork: 'jovian',
        l1: x,
        sequenceNumber: x.sequenceNumber,
        systemConfig,
      })
      const deposit = decodeTransaction(raw)
      const expected = encodePacked(
        [
          ...(['bytes4', 'uint32', 'uint32', 'uint64', 'uint64', 'uint64'] as const),
          ...(['uint256', 'uint256', 'bytes32', 'bytes32', 'uint32', 'uint64', 'uint16'] as const),
        ],
        [
          toFunctionSelector('setL1BlockValuesJovian()'),
          Number(x.baseFeeScalar),
          Number(x.blobBaseFeeScalar),
          x.sequenceNumber,
          x.timestamp,
          x.number,
          x.baseFee,
          x.blobBaseFee,
          x.hash,
          concatHex([numberToHex(0, { size: 12 }), x.batcherAddress]),
          Number(x.operatorFeeScalar),
          x.operatorFeeConstant,
          // OP spec, Jovian: 0 stands for 400.
          x.footprint || 400,
        ],
      )
      const inner = keccak256(concatHex([x.hash, numberToHex(x.sequenceNumber, { size: 32 })]))
      expect(bytesToHex(deposit.data)).toBe(expected)
      expect(deposit).toMatchObject({
        sourceHash: keccak256(concatHex([numberToHex(1, { size: 32 }), inner])),
        gas: 1_000_000n,
      })
      expect(decodeL1Attributes(deposit.data)).toMatchObject({
        sequenceNumber: x.sequenceNumber,
        l1Origin: { number: x.number, hash: x.hash },
        systemConfig: { scalar, batcherAddress: x.batcherAddress },
      })
    }),
    { seed: 84, numRuns: 50 },
  )
})

test.each([
  ['nothing', '0x'],
  ['an unknown selector', `0x440a5e20${'00'.repeat(160)}`],
  ['a byte too few', `0x3db6be2b${'00'.repeat(173)}`],
  ['Isthmus data with the length of Jovian', `0x098999be${'00'.repeat(174)}`],
] as const)('given %s, decoding L1 attributes is refused', (_name, data) => {
  expect(() => decodeL1Attributes(hexToBytes(data))).toThrow(
    expect.objectContaining({ code: 'L1_ATTRIBUTES_MALFORMED' }),
  )
})
