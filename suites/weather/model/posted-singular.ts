import { deflateSync } from 'node:zlib'
import { concatHex, type Hex, hexToBytes, numberToHex, toHex, toRlp } from 'viem'

/** What a batch says of one block of L2. */
export interface SingularBatch {
  parent: Hex
  epoch: number
  epochHash: Hex
  /** Unix seconds. */
  time: number
  transactions?: readonly Hex[]
}

/** In RLP, where 0 has no bytes. */
const quantity = (value: number): Hex => (value === 0 ? '0x' : toHex(value))

/**
 * Call data to the inbox with one channel of one frame, which holds these batches, each of one block. It shares no code with our batcher.
 * Source: OP specification, Derivation, "Batcher Transaction Format", "Frame Format", "Channel Format", "Batch Format".
 * @param channel 16 bytes by which nobody else calls his
 */
export function postedSingular(channel: Hex, batches: readonly SingularBatch[]): Hex {
  const encoded = batches.map(({ parent, epoch, epochHash, time, transactions = [] }) =>
    toRlp(
      concatHex([
        '0x00',
        toRlp([parent, quantity(epoch), epochHash, quantity(time), [...transactions]]),
      ]),
    ),
  )
  const data = toHex(deflateSync(hexToBytes(concatHex(encoded))))
  const length = numberToHex((data.length - 2) / 2, { size: 4 })
  return concatHex(['0x00', channel, '0x0000', length, data, '0x01'])
}
