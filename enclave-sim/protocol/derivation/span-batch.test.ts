import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import fc from 'fast-check'
import { concatHex, parseTransaction, type TransactionSerializable, toRlp } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { decodeSpanBatch, encodeSpanBatch } from './span-batch.ts'

const CHAIN = 84_538_453
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const TO = `0x${'77'.repeat(20)}` as const
const KEY = `0x${'05'.repeat(32)}` as const
const CHECK = new Uint8Array(20)
const HEAD = { parentCheck: CHECK, l1OriginCheck: CHECK }

const fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }
const accessList = [{ address: TO, storageKeys: [KEY] }]
const authorization = await account.signAuthorization({ chainId: CHAIN, address: TO, nonce: 1 })

/** One of each kind, with what the columns of the span hold of it. */
const KINDS: { name: string; transaction: TransactionSerializable; data: `0x${string}` }[] = [
  {
    name: 'a legacy transaction',
    transaction: {
      type: 'legacy',
      chainId: CHAIN,
      nonce: 1,
      gas: 21_000n,
      gasPrice: 9n,
      to: TO,
      value: 1n,
    },
    data: toRlp(['0x01', '0x09', '0x']),
  },
  {
    name: 'a legacy transaction without replay protection',
    transaction: { type: 'legacy', nonce: 200, gas: 21_000n, gasPrice: 9n, to: TO },
    data: toRlp(['0x', '0x09', '0x']),
  },
  {
    name: 'an EIP-2930 transaction',
    transaction: {
      type: 'eip2930',
      chainId: CHAIN,
      gas: 1n,
      gasPrice: 9n,
      to: TO,
      data: '0xc0de',
      accessList,
    },
    data: concatHex(['0x01', toRlp(['0x', '0x09', '0xc0de', [[TO, [KEY]]]])]),
  },
  {
    name: 'an EIP-1559 transaction',
    transaction: {
      type: 'eip1559',
      chainId: CHAIN,
      nonce: 1,
      gas: 21_000n,
      to: TO,
      value: 5n,
      ...fees,
    },
    data: concatHex(['0x02', toRlp(['0x05', '0x01', '0x0a', '0x', []])]),
  },
  {
    name: 'a contract creation',
    transaction: {
      type: 'eip1559',
      chainId: CHAIN,
      nonce: 1,
      gas: 21_000n,
      data: '0x6000',
      ...fees,
    },
    data: concatHex(['0x02', toRlp(['0x', '0x01', '0x0a', '0x6000', []])]),
  },
]

describe.each(KINDS)('given $name', ({ transaction, data }) => {
  test('given a span of one block, then its columns are those of the spec, and back', async () => {
    const signed = await account.signTransaction(transaction)
    const { r, s, yParity } = await signatureOf(signed)
    const isCreation = transaction.to === undefined
    const legacy = transaction.type === 'legacy'
    const expected = concatHex([
      '0x82010c', // 130 s after genesis, L1 origin 12
      bytesToHex(CHECK),
      bytesToHex(CHECK),
      '0x0101', // one block, origin changed
      '0x01', // one transaction
      isCreation ? '0x01' : '0x00',
      yParity ? '0x01' : '0x00',
      r,
      s,
      isCreation ? '0x' : TO,
      data,
      varint(transaction.nonce ?? 0),
      varint(Number(transaction.gas)),
      legacy ? (transaction.chainId ? '0x01' : '0x00') : '0x',
    ])
    const blocks = [{ originChanged: true, transactions: [hexToBytes(signed)] }]
    const span = { ...HEAD, relativeTimestamp: 130n, l1OriginNumber: 12n, blocks }
    expect(bytesToHex(encodeSpanBatch(span))).toBe(expected)
    expect(decodeSpanBatch(hexToBytes(expected), BigInt(CHAIN))).toEqual(span)
  })
})

test('given a set-code transaction, it comes back with its authorizations', async () => {
  const signed = await account.signTransaction({
    ...{ type: 'eip7702', chainId: CHAIN, to: TO, gas: 60_000n, ...fees },
    ...{ accessList, authorizationList: [authorization] },
  })
  const span = spanOf([[], [hexToBytes(signed)], []])
  expect(decodeSpanBatch(encodeSpanBatch(span), BigInt(CHAIN))).toEqual(span)
})

test('given any mixture of blocks and transactions, a span reads back', async () => {
  const signed = await Promise.all(
    KINDS.map(({ transaction }) => account.signTransaction(transaction)),
  )
  const block = fc.record({
    originChanged: fc.boolean(),
    transactions: fc.array(fc.constantFrom(...signed.map((raw) => hexToBytes(raw))), {
      maxLength: 9,
    }),
  })
  const span = fc.record({
    relativeTimestamp: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    l1OriginNumber: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
    parentCheck: fc.uint8Array({ minLength: 20, maxLength: 20 }),
    l1OriginCheck: fc.uint8Array({ minLength: 20, maxLength: 20 }),
    blocks: fc.array(block, { minLength: 1, maxLength: 20 }),
  })
  fc.assert(
    fc.property(span, (value) => {
      expect(decodeSpanBatch(encodeSpanBatch(value), BigInt(CHAIN))).toEqual(value)
    }),
    { seed: 8, numRuns: 60 },
  )
})

test('given any cut or flipped byte, decoding ends with a span or an error of ours', async () => {
  const signed = await Promise.all(
    KINDS.map(({ transaction }) => account.signTransaction(transaction)),
  )
  const good = encodeSpanBatch(spanOf([signed.map((raw) => hexToBytes(raw)), []]))
  const at = fc.nat({ max: good.length - 1 })
  fc.assert(
    fc.property(at, fc.integer({ min: 1, max: 255 }), fc.boolean(), (index, flip, cut) => {
      const bad = cut ? good.slice(0, index) : Uint8Array.from(good)
      if (!cut) bad[index]! ^= flip
      const code = codeOf(() => decodeSpanBatch(bad, BigInt(CHAIN)))
      expect(code === undefined ? !cut : /^[A-Z_]+$/.test(code)).toBe(true)
    }),
    { seed: 9, numRuns: 300 },
  )
})

test.each([
  ['no block', '0x00'],
  ['more blocks than allowed', concatHex([varint(10_000_001), `0x${'00'.repeat(100)}`])],
  ['more transactions than allowed', concatHex(['0x0200', varint(10_000_000), '0x01'])],
  [
    'a transaction of type 3',
    concatHex(['0x01', '0x00', '0x01', `0x0000${'00'.repeat(64)}`, TO, '0x03c0']),
  ],
  [
    'a transaction of type 0 with a type byte',
    concatHex(['0x01', '0x00', '0x01', `0x0000${'00'.repeat(64)}`, TO, '0x00c0']),
  ],
] as const)('given a span with %s, it is refused', (_name, payload) => {
  const head = concatHex(['0x0101', bytesToHex(CHECK), bytesToHex(CHECK)])
  expect(() => decodeSpanBatch(hexToBytes(concatHex([head, payload])), BigInt(CHAIN))).toThrow(
    expect.objectContaining({ code: 'BATCH_MALFORMED' }),
  )
})

test('given a million empty blocks in few bytes, they are all one and the same object', () => {
  const count = 1_000_000
  const payload = concatHex([varint(count), bytesToHex(new Uint8Array(count / 8 + count))])
  const head = concatHex(['0x0101', bytesToHex(CHECK), bytesToHex(CHECK)])
  const { blocks } = decodeSpanBatch(hexToBytes(concatHex([head, payload])), BigInt(CHAIN))
  expect(blocks).toHaveLength(count)
  expect(new Set(blocks).size).toBe(1)
})

function spanOf(blocks: Uint8Array[][]) {
  return {
    ...HEAD,
    relativeTimestamp: 2n,
    l1OriginNumber: 1n,
    blocks: blocks.map((transactions) => ({ originChanged: false, transactions })),
  }
}

async function signatureOf(signed: `0x${string}`) {
  const { r, s, v, yParity } = parseTransaction(signed as `0x02${string}`) as {
    r: `0x${string}`
    s: `0x${string}`
    v?: bigint
    yParity?: number
  }
  const word = (hex: `0x${string}`) => `0x${hex.slice(2).padStart(64, '0')}` as const
  return { r: word(r), s: word(s), yParity: yParity ?? Number((v! + 1n) % 2n) }
}

function varint(value: number): `0x${string}` {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return bytesToHex(Uint8Array.from([...bytes, rest]))
    bytes.push((rest % 128) + 128)
  }
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as { code?: string }).code ?? 'no code'
  }
}
