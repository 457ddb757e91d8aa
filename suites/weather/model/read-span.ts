import {
  concatHex,
  fromRlp,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  toHex,
  toRlp,
} from 'viem'
import type { Batched } from './batched.ts'
import { quantity } from './trie-root.ts'

interface Chain {
  id: number
  /** Unix seconds of the first block, and seconds between blocks. */
  genesisTime: number
  blockTime: number
}

/**
 * The blocks of a span batch, worked out plainly. Source: OP specification, Delta, "Span batch format".
 * Loads send no blobs to L2: it has none.
 *
 * @param content without the version byte
 * @throws Error where it is anything else
 */
export function readSpan(content: Uint8Array, { id, genesisTime, blockTime }: Chain): Batched {
  const reader = new Reader(content)
  const first = genesisTime + reader.varint()
  const lastEpoch = reader.varint()
  const [parentCheck, originCheck] = [reader.hex(20), reader.hex(20)]
  const count = reader.varint()
  const isNewEpoch = reader.bits(count)
  const counts = Array.from({ length: count }, () => reader.varint())
  const transactions = readTransactions(
    reader,
    counts.reduce((sum, each) => sum + each, 0),
    id,
  )
  const laterEpochs = isNewEpoch.slice(1).filter(Boolean).length
  let epoch = lastEpoch - laterEpochs
  let next = 0
  const blocks = counts.map((size, index) => {
    if (index > 0 && isNewEpoch[index]) epoch += 1
    next += size
    return {
      time: first + index * blockTime,
      epoch,
      transactions: transactions.slice(next - size, next),
    }
  })
  return { isSpan: true, parentCheck, originCheck, blocks }
}

function readTransactions(reader: Reader, count: number, chainId: number): Hex[] {
  const each = <T>(read: () => T): T[] => Array.from({ length: count }, read)
  const isCreation = reader.bits(count)
  const isOdd = reader.bits(count)
  const signatures = each(() => [reader.hex(32), reader.hex(32)] as const)
  const to = isCreation.map((creates) => (creates ? '0x' : reader.hex(20)))
  const rest = each(() => reader.transaction())
  const nonces = each(() => quantity(reader.varint()))
  const gases = each(() => quantity(reader.varint()))
  const protectedOnes = reader.bits(rest.filter(({ type }) => type === 0).length)
  return rest.map(({ type, fields: [value, ...more] }, index) => {
    const [nonce, gas] = [nonces[index]!, gases[index]!]
    const [r, s] = signatures[index]!.map((half) => quantity(hexToBigInt(half)))
    const odd = isOdd[index] ? 1 : 0
    // Price or prices come before the gas, and what is left after the data.
    const prices = more.slice(0, type < 2 ? 1 : 2)
    const [data, ...lists] = more.slice(prices.length)
    const body = [nonce, ...prices, gas, to[index]!, value!, data!, ...lists]
    if (type > 0) {
      const whole = [quantity(chainId), ...body, quantity(odd), r!, s!]
      return keccak256(concatHex([numberToHex(type, { size: 1 }), toRlp(whole)]))
    }
    const v = protectedOnes.shift() ? 35 + 2 * chainId + odd : 27 + odd
    return keccak256(toRlp([...body, quantity(v), r!, s!]))
  })
}

type Rlp = Hex | Rlp[]

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new Error('It ends too soon.')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  hex(length: number): Hex {
    return toHex(this.take(length))
  }

  /** Seven bits a byte, the lowest first; the top bit says that more follow. */
  varint(): number {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const [byte] = this.take(1)
      value += (byte! % 128) * scale
      if (byte! < 128) return value
    }
  }

  /** A big-endian number of as many bits, read from its lowest. */
  bits(count: number): boolean[] {
    const bytes = this.take(Math.ceil(count / 8)).toReversed()
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3]! >> (at & 7)) & 1) === 1)
  }

  /** The type, 0 where none is said, and a list in RLP: prices are before the data, lists behind it. */
  transaction(): { type: number; fields: Rlp[] } {
    const [first] = this.#bytes.subarray(this.#at)
    const type = first! < 0xc0 ? this.take(1)[0]! : 0
    if (![0, 1, 2, 4].includes(type)) throw new Error(`No load sends transactions of type ${type}.`)
    const start = this.#at
    const [head] = this.take(1)
    const sizeLength = head! > 0xf7 ? head! - 0xf7 : 0
    const size = sizeLength > 0 ? Number(BigInt(this.hex(sizeLength))) : head! - 0xc0
    this.take(size)
    return { type, fields: fromRlp(toHex(this.#bytes.subarray(start, this.#at))) as Rlp[] }
  }
}
