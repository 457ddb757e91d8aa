import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '#fixtures/vectors/bincode.json' with { type: 'json' }
import {
  bool,
  bytes,
  decode,
  encode,
  f64,
  fixedBytes,
  i8,
  i64,
  option,
  type Schema,
  string,
  struct,
  u8,
  u16,
  u32,
  u64,
  u128,
  variants,
  vec,
} from './bincode.ts'

const fromHex = (hex: string) => Buffer.from(hex, 'hex')
const filled = (length: number, byte: number) => Buffer.alloc(length, byte)

const integers = { u64, i64, u128 } as Record<string, Schema<bigint>>
const numbers = { u8, i8, u16 } as Record<string, Schema<number>>

const requests = variants({
  Prove: struct({ preimages: vec(struct({ key: fixedBytes(32), value: bytes })), chainId: u32 }),
  Key: struct({}),
  Attest: struct({ userData: option(bytes), nonce: option(bytes) }),
})

/** A struct that has one of everything, in this order on the wire. */
const everything = struct({
  root: fixedBytes(32),
  signature: bytes,
  time: u64,
  note: option(string),
  count: u8,
  wide: u128,
  medium: u16,
  negative: i64,
  one: i64,
  yes: bool,
  first: string,
  number: u32,
  second: string,
  ratio: f64,
  minusThree: i8,
  minusTwo: i8,
})

/** What the vectors without a value stand for. */
const composites: Record<string, { schema: Schema<never>; value: unknown }> = {
  bool: entry(struct({ yes: bool, no: bool }), { yes: true, no: false }),
  opt: entry(struct({ some: option(u16), none: option(u16) }), { some: 300, none: null }),
  str: entry(string, 'héllo'),
  vec300: entry(
    vec(u8),
    Array.from({ length: 300 }, () => 7),
  ),
  req1: entry(requests, { kind: 'Key' }),
  req2: entry(requests, { kind: 'Attest', userData: Buffer.of(1, 2, 3), nonce: null }),
  req0: entry(requests, {
    kind: 'Prove',
    preimages: [
      { key: filled(32, 9), value: Buffer.of(1, 2) },
      { key: filled(32, 8), value: Buffer.of() },
    ],
    chainId: 84532,
  }),
  p: entry(everything, {
    root: filled(32, 0xaa),
    signature: filled(65, 1),
    time: 123_456_789_012n,
    note: 'x',
    count: 9,
    wide: 1n << 70n,
    medium: 1000,
    negative: -70_000n,
    one: 1n,
    yes: true,
    first: 'a',
    number: 70_000,
    second: 'b',
    ratio: 1.5,
    minusThree: -3,
    minusTwo: -2,
  }),
}

function entry<T>(schema: Schema<T>, value: T) {
  return { schema: schema as unknown as Schema<never>, value }
}

describe('golden values of the Rust crate', () => {
  for (const vector of vectors.tests) {
    const { type, value } = vector
    test(`given ${type} ${value ?? ''}, then it encodes to the same bytes and decodes back`, () => {
      const schema = (integers[type] ??
        numbers[type] ??
        composites[type]?.schema) as Schema<unknown>
      const expected =
        value === undefined
          ? composites[type]!.value
          : integers[type]
            ? BigInt(value)
            : Number(value)
      expect(encode(schema, expected).toString('hex')).toBe(vector.bytes)
      expect(decode(schema, fromHex(vector.bytes))).toEqual(expected)
    })
  }
})

describe('round trips', () => {
  test('given any value, then it comes back, and truncating its bytes anywhere is an error', () => {
    const value = fc.record({
      root: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(Buffer.from),
      signature: fc.uint8Array({ maxLength: 300 }).map(Buffer.from),
      time: fc.bigInt(0n, (1n << 64n) - 1n),
      note: fc.option(fc.string({ unit: 'grapheme' })),
      count: fc.nat(255),
      wide: fc.bigInt(0n, (1n << 128n) - 1n),
      medium: fc.nat(65_535),
      negative: fc.bigInt(-(1n << 63n), (1n << 63n) - 1n),
      one: fc.bigInt(-300n, 300n),
      yes: fc.boolean(),
      first: fc.string(),
      number: fc.nat(0xffffffff),
      second: fc.string(),
      ratio: fc.double({ noNaN: true }),
      minusThree: fc.integer({ min: -128, max: 127 }),
      minusTwo: fc.integer({ min: -128, max: 127 }),
    })
    fc.assert(
      fc.property(value, fc.double({ min: 0, max: 0.999 }), (original, part) => {
        const encoded = encode(everything, original)
        expect(decode(everything, encoded)).toEqual(original)
        const cut = encoded.subarray(0, Math.floor(encoded.length * part))
        expect(() => decode(everything, cut)).toThrow('bincode:')
      }),
    )
  })

  test('given arbitrary bytes, then they decode or are refused, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (garbage) => {
        try {
          decode(requests, garbage)
        } catch (error) {
          expect(error).toMatchObject({ code: 'BINCODE_INVALID' })
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('malformed bytes', () => {
  const refused: [string, Schema<unknown>, string, string][] = [
    ['a bool of 2', bool, '02', '2 is not a bool'],
    ['an option tag of 2', option(u8), '0200', '2 is not a bool'],
    ['the reserved integer tag', u64, 'ff', 'integer tag 255'],
    ['a u64 form for a u32', u32, 'fd0000000001000000', 'integer tag 253'],
    ['a number above its type', u16, 'fc00000100', 'integer tag 252'],
    ['a variant that does not exist', requests, '03', 'unknown variant 3'],
    ['a variant named like a property of every object', variants({}), '00', 'unknown variant 0'],
    ['a length that needs more bytes than there are', bytes, 'fdffffffffffffffff', 'length'],
    ['a count of empty items', vec(struct({})), 'fcffffffff', 'length'],
    ['text that is not UTF-8', string, '01ff', 'UTF-8'],
    ['nothing at all', u8, '', 'unexpected end'],
  ]
  test.each(refused)('given %s, then it is refused', (_what, schema, hex, message) => {
    expect(() => decode(schema, fromHex(hex))).toThrow(message)
  })

  test('given a long form of a short integer, then it is read, as Rust reads it', () => {
    expect(decode(u64, fromHex('fd0500000000000000'))).toBe(5n)
  })

  test('given bytes after the value, then they are ignored, as Rust ignores them', () => {
    expect(decode(u8, fromHex('07ffff'))).toBe(7)
  })

  test.each([
    ['u8', u8, 256],
    ['i8', i8, 128],
    ['i8', i8, -129],
    ['u16', u16, 65_536],
    ['u32', u32, 1.5],
    ['u32', u32, -1],
  ] as [string, Schema<number>, number][])(
    'given the type %s, then %d is not encoded',
    (_name, schema, value) => {
      expect(() => encode(schema, value)).toThrow('bincode:')
    },
  )
})
