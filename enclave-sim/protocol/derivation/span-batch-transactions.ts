import { concatBytes, setLengthLeft } from '@ethereumjs/util'
import { bigIntToBytes } from '../bytes/big-int-to-bytes.ts'
import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Address } from '../types/bytes.ts'
import { encodeBitlist, readBitlist } from './bitlist.ts'
import { type ByteReader, encodeUvarint } from './byte-reader.ts'
import { DerivationError } from './derivation-error.ts'
import {
  isSpanTransactionType,
  joinTransaction,
  type SpanTransactionType,
  splitTransaction,
} from './span-batch-transaction.ts'

/**
 * The `txs` part of a span batch: all transactions, column by column.
 * Source: OP specs, Delta, "Span batch format".
 * @throws TransactionMalformed, DerivationError BATCH_MALFORMED
 */
export function encodeSpanTransactions(raw: readonly Uint8Array[]): Uint8Array {
  const all = raw.map(splitTransaction)
  const legacy = all.filter(({ type }) => type === 0)
  return concatBytes(
    encodeBitlist(all.map(({ to }) => to === null)),
    encodeBitlist(all.map(({ yParity }) => yParity)),
    ...all.flatMap(({ r, s }) => [word(r), word(s)]),
    ...all.flatMap(({ to }) => (to === null ? [] : [hexToBytes(to)])),
    ...all.map(({ data }) => data),
    ...all.map(({ nonce }) => encodeUvarint(nonce)),
    ...all.map(({ gas }) => encodeUvarint(gas)),
    encodeBitlist(legacy.map(({ isProtected }) => isProtected)),
  )
}

/**
 * Reads `count` transactions back into their EIP-2718 form.
 * @throws TransactionMalformed, DerivationError BATCH_MALFORMED
 */
export function readSpanTransactions(
  reader: ByteReader,
  count: number,
  chainId: bigint,
): Uint8Array[] {
  const isCreation = readBitlist(reader, count)
  const yParity = readBitlist(reader, count)
  const signatures = reader.take(64 * count)
  const times = <T>(read: (index: number) => T): T[] => {
    const values: T[] = []
    for (let i = 0; i < count; i++) values.push(read(i))
    return values
  }
  const to = times((i): Address | null => (isCreation(i) ? null : bytesToHex(reader.take(20))))
  const datas = times(() => readData(reader))
  const nonces = times(() => reader.uvarint())
  const gases = times(() => reader.uvarint())
  const isProtected = readBitlist(reader, datas.filter(({ type }) => type === 0).length)

  let legacy = 0
  return datas.map(({ type, data }, i) =>
    joinTransaction(
      {
        type,
        data,
        to: to[i]!,
        nonce: nonces[i]!,
        gas: gases[i]!,
        yParity: yParity(i),
        r: bytesToBigInt(signatures.subarray(64 * i, 64 * i + 32)),
        s: bytesToBigInt(signatures.subarray(64 * i + 32, 64 * i + 64)),
        isProtected: type === 0 ? isProtected(legacy++) : true,
      },
      chainId,
    ),
  )
}

function readData(reader: ByteReader): { type: SpanTransactionType; data: Uint8Array } {
  const first = reader.peek()
  const type = first >= 0xc0 ? 0 : reader.take(1)[0]!
  const { isList, encoded } = reader.rlpItem()
  if (!isList || !isSpanTransactionType(type) || (first < 0xc0 && type === 0)) {
    throw new DerivationError('BATCH_MALFORMED', `There is no transaction type ${type} in a span.`)
  }
  return { type, data: type === 0 ? encoded : concatBytes(Uint8Array.of(type), encoded) }
}

function word(value: bigint): Uint8Array {
  return setLengthLeft(bigIntToBytes(value), 32)
}
