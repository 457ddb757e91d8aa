import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Log } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import { decodeHeader, encodeHeader, headerHash } from './header.ts'
import { bloomMayContain, logsBloom } from './logs-bloom.ts'
import { outputRoot, outputRootPreimage } from './output-root.ts'
import { decodeReceipt, encodeReceipt } from './receipt.ts'
import { openTestBlock } from './test-block.ts'

const EMPTY_BLOOM = '00'.repeat(256)

describe('a receipt', () => {
  // Both from the receipt tests of reth and op-alloy.
  const deposit = `0x7ef9010c0182b741b90100${EMPTY_BLOOM}c0833d3bbf` as const
  const legacy =
    `0xf901668001b90100${EMPTY_BLOOM}f85ff85d940000000000000000000000000000000000000011f842a0000000000000000000000000000000000000000000000000000000000000deada0000000000000000000000000000000000000000000000000000000000000beef830100ff` as const

  test('given a deposit receipt of OP, then its fields are known and it encodes back', () => {
    const receipt = decodeReceipt(hexToBytes(deposit))
    expect(receipt).toMatchObject({ type: 0x7e, status: 1, cumulativeGasUsed: 46_913n, logs: [] })
    expect(receipt.depositNonce).toBe(4_012_991n)
    expect(receipt.depositReceiptVersion).toBeUndefined()
    expect(bytesToHex(encodeReceipt(receipt))).toBe(deposit)
  })

  test('given a version (Canyon), then it stands last', () => {
    const receipt = decodeReceipt(hexToBytes(deposit))
    const encoded = encodeReceipt({ ...receipt, depositReceiptVersion: 1n })
    expect(bytesToHex(encoded)).toBe(`${deposit.replace('f9010c', 'f9010d')}01`)
    expect(decodeReceipt(encoded).depositReceiptVersion).toBe(1n)
  })

  test('given a legacy receipt with a log, then its fields are known and it encodes back', () => {
    const receipt = decodeReceipt(hexToBytes(legacy))
    expect(receipt).toMatchObject({ type: 0, status: 0, cumulativeGasUsed: 1n })
    expect(receipt.logs).toEqual([
      {
        address: '0x0000000000000000000000000000000000000011',
        topics: [`0x${'dead'.padStart(64, '0')}`, `0x${'beef'.padStart(64, '0')}`],
        data: Uint8Array.of(1, 0, 255),
      },
    ])
    expect(bytesToHex(encodeReceipt(receipt))).toBe(legacy)
  })

  test.each(['0x', '0xc0', '0x7ec0', '0xf9', legacy.slice(0, -2), `0x${deposit.slice(4)}`])(
    'given %s, then it is refused',
    (hex) => {
      expect(() => decodeReceipt(hexToBytes(hex as Hash))).toThrow(
        expect.objectContaining({ code: 'RECEIPT_MALFORMED' }),
      )
    },
  )
})

describe('a header', () => {
  test('given one of ours, then it decodes to itself and its hash is that of its bytes', async () => {
    const { header, hash } = (await openTestBlock({})).genesis
    expect(decodeHeader(encodeHeader(header))).toEqual(header)
    expect(headerHash(header)).toBe(hash)
    expect(hash).toBe(keccak256(encodeHeader(header)))
  })

  test.each(['0xc0', '0x80', '0x', '0xf8'])('given %s, then it is refused', (hex) => {
    expect(() => decodeHeader(hexToBytes(hex as Hash))).toThrow(
      expect.objectContaining({ code: 'HEADER_MALFORMED' }),
    )
  })
})

describe('a bloom', () => {
  test('given a log, then address and topics are in it and others are not', () => {
    const [address, topic] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`] as const
    const log: Log = { address, topics: [topic], data: new Uint8Array(0) }
    const bloom = logsBloom([log])
    expect(bloomMayContain(bloom, address)).toBe(true)
    expect(bloomMayContain(bloom, topic)).toBe(true)
    expect(bloomMayContain(bloom, `0x${'33'.repeat(32)}`)).toBe(false)
    expect(
      bloom.reduce((bits, byte) => bits + (byte.toString(2).match(/1/g)?.length ?? 0), 0),
    ).toBe(6)
  })
})

describe('an output root', () => {
  test('then it is the hash of version 0, state root, withdrawals root and block hash', () => {
    const word = (byte: string): Hash => `0x${byte.repeat(32)}`
    const parts = { stateRoot: word('01'), withdrawalsRoot: word('02'), hash: word('03') }
    const preimage = `0x${'00'.repeat(32)}${'01'.repeat(32)}${'02'.repeat(32)}${'03'.repeat(32)}`
    expect(bytesToHex(outputRootPreimage(parts))).toBe(preimage)
    expect(outputRoot(parts)).toBe(keccak256(preimage as Hash))
  })
})
