import { hexToBytes } from '@ethereumjs/util'
import { type Hex, toRlp } from 'viem'
import { expect, test } from 'vitest'
import { blobBaseFee, decodeL1Header } from './l1-header.ts'

const HASH = `0x${'00'.repeat(32)}` as const
const b32 = (byte: string) => `0x${byte.repeat(32)}` as const
const FIELDS: Hex[] = [
  ...[b32('01'), b32('02'), `0x${'03'.repeat(20)}` as const, b32('04'), b32('05'), b32('06')],
  ...[`0x${'07'.repeat(256)}` as const, '0x' as const, '0x64' as const, '0x01c9c380' as const],
  ...[
    '0x5208' as const,
    '0x6553f100' as const,
    '0x' as const,
    b32('0d'),
    `0x${'00'.repeat(8)}` as const,
  ],
  '0x3b9aca00',
]
const CANCUN: Hex[] = [...FIELDS, b32('10'), '0x', '0x04c00000', b32('13')]

test.each([
  ['London', FIELDS, 1n, undefined],
  ['Cancun', CANCUN, blobBaseFee(0x4c00000n, false), b32('13')],
  ['Prague', [...CANCUN, b32('14')], blobBaseFee(0x4c00000n, true), b32('13')],
  ['a later fork', [...CANCUN, b32('14'), '0x01' as Hex], blobBaseFee(0x4c00000n, true), b32('13')],
] as const)(
  'given a header of %s, what derivation needs is read',
  (_fork, fields, blobFee, root) => {
    expect(decodeL1Header(HASH, hexToBytes(toRlp([...fields])))).toEqual({
      hash: HASH,
      parentHash: b32('01'),
      transactionsRoot: b32('05'),
      receiptsRoot: b32('06'),
      logsBloom: new Uint8Array(256).fill(7),
      number: 100n,
      timestamp: 1_700_000_000n,
      mixHash: b32('0d'),
      baseFee: 1_000_000_000n,
      blobBaseFee: blobFee,
      parentBeaconBlockRoot: root,
    })
  },
)

/** Cancun's from the tests of EIP-4844's fake_exponential: factor 1, worked out with its formula. */
test.each([
  [0n, false, 1n],
  [2_314_057n, false, 1n],
  [2_314_058n, false, 2n],
  [10_485_760n, false, 23n],
  [3_471_086n, true, 1n],
  [3_471_087n, true, 2n],
])('given an excess blob gas of %s (Prague: %s), a unit costs %s wei', (excess, prague, fee) => {
  expect(blobBaseFee(excess, prague)).toBe(fee)
})

test.each([
  ['nothing', '0x'],
  ['a string', '0x83010203'],
  ['fifteen fields', toRlp(FIELDS.slice(0, 15))],
  ['a list as field', toRlp([...FIELDS.slice(0, 15), []])],
] as const)('given %s, it is no header', (_name, rlp) => {
  expect(() => decodeL1Header(HASH, hexToBytes(rlp))).toThrow(
    expect.objectContaining({ code: 'L1_HEADER_MALFORMED' }),
  )
})
