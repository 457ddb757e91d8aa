import { bytesToHex } from '@ethereumjs/util'
import { expect, test } from 'vitest'
import { decodeTransaction } from '../transaction/decode-transaction.ts'
import { encodeBaseTime, millisPart, timestampMs } from './base-time.ts'
import { encodeL1Attributes } from './l1-attributes.ts'

// Made from the published layout with another implementation (RLP by hand, @noble/hashes).
const BLOCK_9_AT_600 =
  '0x7ef877a0821a03cf41d4197c4b19f8f5cf89774b6771d14a189bf35f29b2775453bb5d7d94deaddeaddeaddeaddeaddeaddeaddeaddead00019442000000000000000000000000000000000000308080830f424080a486bdf3940000000000000000000000000000000000000000000000000000000000000258'

const second = (number: bigint, ms: bigint) => decodeTransaction(encodeBaseTime(number, ms))

test('given block 9 at 42.600 s, then its deposit has these bytes', () => {
  expect(bytesToHex(encodeBaseTime(9n, 42_600n))).toBe(BLOCK_9_AT_600)
})

test.each([
  [9n, 42_600n, '0x4df213500d2feb104f67c64d62828d6374ce822948e81128fa5ba1ebe5d0c13d'],
  [3n, 16_000n, '0x6df6aa7e5e5f8c188cf3774b43e724bde60350c41e973c05ad12ad893c64536d'],
  [4n, 16_200n, '0xac0f0c535a9588133a22d9174b48462b68849d15f6c60a85949facf517f376a0'],
])('given block %s at %s ms, then its deposit has the hash %s', (number, ms, hash) => {
  expect(second(number, ms).hash).toBe(hash)
})

test.each([
  [1n, '0x1069ed2cd445ebff576c8ac2ad8bfe550f5c700598ab04ead80cb51839aa8aeb'],
  [3n, '0x1ad4ef655c527f07678b9b8a465b2fca1ebbfc4a7d3dec72485f547f49fce2a8'],
  [150n, '0x2d8b5defd5056ff8a746598c75082dda5af3950cc795fde7416cc90ad731acbc'],
  [1000n, '0xd1b3f13c94ae9db422e77a76e1ebd1d0c4342e5b4e42b143bc45852c000a7736'],
])('given block %s, then the source hash is %s', (number, sourceHash) => {
  expect(second(number, 1_000n)).toMatchObject({ sourceHash })
})

test('given a block, then its time is its seconds and the part that its second transaction tells', () => {
  const first = decodeTransaction(
    encodeL1Attributes({
      fork: 'jovian',
      l1: { number: 1n, timestamp: 1n, baseFee: 1n, blobBaseFee: 1n, hash: `0x${'11'.repeat(32)}` },
      sequenceNumber: 0n,
      systemConfig: {
        ...{ batcherAddress: `0x${'22'.repeat(20)}`, scalar: `0x01${'00'.repeat(31)}` },
        ...{ gasLimit: 1n, eip1559Denominator: 1, eip1559Elasticity: 1, minBaseFee: 0n },
        ...{ operatorFeeScalar: 0, operatorFeeConstant: 0n, daFootprintGasScalar: 0 },
      },
    }),
  )
  const header = { timestamp: 42n }
  // base/docs: block 9 of 42 s with part 600 is at 42,600 ms.
  expect(timestampMs({ header, transactions: [first, second(9n, 42_600n)] })).toBe(42_600n)
  expect(timestampMs({ header, transactions: [first] })).toBe(42_000n)
  expect(millisPart([first, first])).toBeUndefined()
})

// base/base base_time.rs: selector, 30 bytes of padding, u16.
test.each([
  [0n, '0000'],
  [200n, '00c8'],
  [400n, '0190'],
  [600n, '0258'],
  [800n, '0320'],
])('given a part of %s ms, then the setter is called with it', (part, end) => {
  const { data } = second(9n, 42_000n + part)
  expect(bytesToHex(data)).toBe(`0x86bdf394${'00'.repeat(30)}${end}`)
  expect(millisPart([second(9n, 42_000n), second(9n, 42_000n + part)])).toBe(Number(part))
})

// base/base base_time.rs: off the lattice.
test.each([1, 100, 199, 201, 999, 1000])('given a part of %i ms, then it is none', (part) => {
  const deposit = second(9n, 42_000n)
  const data = Uint8Array.from(deposit.data)
  new DataView(data.buffer).setUint16(34, part)
  expect(millisPart([deposit, { ...deposit, data }])).toBeUndefined()
})
