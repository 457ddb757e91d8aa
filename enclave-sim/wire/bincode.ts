/**
 * bincode 2, standard configuration (little endian, varint integers, no limit), as schemas whose
 * types are inferred. Enough for the enclave protocol; not a general serde.
 * Source: bincode 2 specification; golden values in fixtures/vectors/bincode.json.
 */
import { BincodeError } from './bincode-error.ts'
import { BincodeReader } from './bincode-reader.ts'
import { BincodeWriter, varintSize } from './bincode-writer.ts'

export interface Schema<T> {
  /** Exact encoded size in bytes. */
  size(value: T): number
  write(out: BincodeWriter, value: T): void
  read(from: BincodeReader): T
}

export type Infer<S> = S extends Schema<infer T> ? T : never

/** @throws BincodeError when the value is outside its schema. */
export function encode<T>(schema: Schema<T>, value: T): Buffer {
  const out = new BincodeWriter(schema.size(value))
  schema.write(out, value)
  return out.finish()
}

/**
 * Byte values are views into `bytes`. What follows the value is ignored, as Rust's
 * `decode_from_slice` does.
 * @throws BincodeError
 */
export function decode<T>(schema: Schema<T>, bytes: Uint8Array): T {
  return schema.read(new BincodeReader(bytes))
}

function integer(bits: number, signed: boolean): Schema<bigint> {
  const wrap = signed ? BigInt.asIntN : BigInt.asUintN
  const checked = (value: bigint) => {
    if (wrap(bits, value) !== value) throw new BincodeError(`${value} does not fit in ${bits} bits`)
    return value
  }
  const zigzag = (value: bigint) => (value < 0n ? -2n * value - 1n : 2n * value)
  const unsigned = (value: bigint) => (signed ? zigzag(checked(value)) : checked(value))
  return {
    size: (value) => varintSize(unsigned(value)),
    write: (out, value) => out.varint(unsigned(value)),
    read: (from) => {
      const value = from.varint(bits)
      if (!signed) return checked(value)
      return checked(value & 1n ? -(value >> 1n) - 1n : value >> 1n)
    },
  }
}

/** Reads and writes `from` as another type. */
export function mapped<A, B>(
  from: Schema<A>,
  decoded: (value: A) => B,
  encoded: (value: B) => A,
): Schema<B> {
  return {
    size: (value) => from.size(encoded(value)),
    write: (out, value) => from.write(out, encoded(value)),
    read: (reader) => decoded(from.read(reader)),
  }
}

function small(from: Schema<bigint>): Schema<number> {
  return mapped(from, Number, (value) => {
    if (!Number.isInteger(value)) throw new BincodeError(`${value} is not an integer`)
    return BigInt(value)
  })
}

export const u16 = small(integer(16, false))
export const u32 = small(integer(32, false))
export const u64 = integer(64, false)
export const u128 = integer(128, false)
export const i64 = integer(64, true)

/** One raw byte below `count`. */
function octet(count: number, what: string): Schema<number> {
  const checked = (value: number) => {
    if (!Number.isInteger(value) || value < 0 || value >= count)
      throw new BincodeError(`${value} is not a ${what}`)
    return value
  }
  return {
    size: () => 1,
    write: (out, value) => out.byte(checked(value)),
    read: (from) => checked(from.byte()),
  }
}

export const u8 = octet(256, 'u8')
export const i8 = mapped(
  u8,
  (value) => (value << 24) >> 24,
  (value: number) => (value < -128 || value > 127 ? Number.NaN : value & 255),
)
export const bool = mapped(octet(2, 'bool'), Boolean, Number)

export const f64: Schema<number> = {
  size: () => 8,
  write: (out, value) => out.double(value),
  read: (from) => from.double(),
}

/** Length, then the bytes. */
export const bytes: Schema<Uint8Array> = {
  size: (value) => varintSize(value.length) + value.length,
  write: (out, value) => {
    out.varint(value.length)
    out.raw(value)
  },
  read: (from) => from.raw(from.length(1)),
}

/** `[u8; N]`: the bytes alone. */
export function fixedBytes(length: number): Schema<Uint8Array> {
  return {
    size: () => length,
    write: (out, value) => out.raw(ofLength(value, length)),
    read: (from) => from.raw(length),
  }
}

/** @throws BincodeError unless `value` has exactly `length` bytes. */
export function ofLength(value: Uint8Array, length: number): Uint8Array {
  if (value.length !== length)
    throw new BincodeError(`expected ${length} bytes, got ${value.length}`)
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const string: Schema<string> = mapped(
  bytes,
  (value) => {
    try {
      return utf8.decode(value)
    } catch {
      throw new BincodeError('text is not UTF-8')
    }
  },
  (value) => Buffer.from(value, 'utf8'),
)

export function option<T>(some: Schema<T>): Schema<T | null> {
  return {
    size: (value) => 1 + (value === null ? 0 : some.size(value)),
    write: (out, value) => {
      bool.write(out, value !== null)
      if (value !== null) some.write(out, value)
    },
    read: (from) => (bool.read(from) ? some.read(from) : null),
  }
}

/** `itemSize`: the least bytes one item can take, at least 1; it bounds what a length may claim. */
export function vec<T>(item: Schema<T>, itemSize = 1): Schema<T[]> {
  return {
    size: (value) =>
      value.reduce((sum, element) => sum + item.size(element), varintSize(value.length)),
    write: (out, value) => {
      out.varint(value.length)
      for (const element of value) item.write(out, element)
    },
    read: (from) => {
      const count = from.length(itemSize)
      const value: T[] = []
      for (let i = 0; i < count; i++) value.push(item.read(from))
      return value
    },
  }
}

type Fields = Record<string, Schema<unknown>>
type Flat<T> = { [K in keyof T]: T[K] }

/** Fields in order, without header. */
export function struct<F extends Fields>(fields: F): Schema<Flat<{ [K in keyof F]: Infer<F[K]> }>> {
  const entries = Object.entries(fields)
  type Value = { [K in keyof F]: Infer<F[K]> }
  return {
    size: (value) => entries.reduce((sum, [key, field]) => sum + field.size(value[key]), 0),
    write: (out, value) => {
      for (const [key, field] of entries) field.write(out, value[key])
    },
    read: (from) => {
      const value: Record<string, unknown> = {}
      for (const [key, field] of entries) value[key] = field.read(from)
      return value as Value
    },
  }
}

/**
 * A Rust enum: variants in declaration order, as `{ kind, ...fields }`.
 * @throws BincodeError for a kind or an index that is none of them; the schema does
 */
export function variants<V extends Fields>(
  table: V,
): Schema<{ [K in keyof V]: Flat<{ kind: K } & Infer<V[K]>> }[keyof V]> {
  const kinds = Object.keys(table)
  type Value = { [K in keyof V]: Flat<{ kind: K } & Infer<V[K]>> }[keyof V]
  const fieldsOf = (kind: unknown) => {
    const schema = typeof kind === 'string' && Object.hasOwn(table, kind) ? table[kind] : undefined
    if (!schema) throw new BincodeError(`unknown variant ${String(kind)}`)
    return schema
  }
  return {
    size: (value) => {
      const schema = fieldsOf(value.kind)
      return varintSize(kinds.indexOf(String(value.kind))) + schema.size(value)
    },
    write: (out, value) => {
      out.varint(kinds.indexOf(String(value.kind)))
      fieldsOf(value.kind).write(out, value)
    },
    read: (from) => {
      const index = u32.read(from)
      const kind = kinds[index]
      const fields = fieldsOf(kind ?? index).read(from) as object
      return { kind, ...fields } as Value
    },
  }
}
