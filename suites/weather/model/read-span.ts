import { fromRlp, type Hex, hexToBigInt, keccak256, serializeTransaction, slice, toHex } from 'viem'
import type { Batched } from './batched.ts'

interface Chain {
  id: number
  /** Unix seconds of the first block, and seconds between blocks. */
  genesisTime: number
  blockTime: number
}

/**
 * The blocks of a span batch, worked out plainly. Source: OP specification, Delta, "Span batch format".
 * Loads send transactions of type 2 alone, so that only these are read.
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
  const to = isCreation.map((creates) => (creates ? undefined : reader.hex(20)))
  const rest = each(() => reader.ofType2())
  const nonces = each(() => reader.varint())
  const gases = each(() => reader.varint())
  return rest.map(([value, tip, most, data, accessList], index) => {
    if (accessList!.length > 0) throw new Error('No load sends an access list.')
    const [r, s] = signatures[index]!
    return keccak256(
      serializeTransaction(
        {
          type: 'eip1559',
          ...{ chainId, nonce: nonces[index]!, gas: BigInt(gases[index]!) },
          ...(to[index] && { to: to[index] }),
          ...{
            value: amount(value),
            maxPriorityFeePerGas: amount(tip),
            maxFeePerGas: amount(most),
          },
          data: data as Hex,
        },
        { r, s, yParity: isOdd[index] ? 1 : 0 },
      ),
    )
  })
}

type Rlp = Hex | readonly Rlp[]

const amount = (field: Rlp | undefined): bigint => (field === '0x' ? 0n : hexToBigInt(field as Hex))

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

  /** The type and a list in RLP. */
  ofType2(): readonly Rlp[] {
    const [type] = this.take(1)
    if (type !== 2) throw new Error(`No load sends transactions of type ${type}.`)
    const start = this.#at
    const [head] = this.take(1)
    const sizeLength = head! > 0xf7 ? head! - 0xf7 : 0
    const size = sizeLength > 0 ? Number(BigInt(this.hex(sizeLength))) : head! - 0xc0
    this.take(size)
    return fromRlp(slice(toHex(this.#bytes), start, this.#at)) as readonly Rlp[]
  }
}
