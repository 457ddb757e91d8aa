import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { Block, PayloadAttributes } from '#protocol/types/block'

/** One thing in which a block is not what was derived for its place. */
export interface Difference {
  field: string
  derived: string
  built: string
}

/** Compares a block with what L1 says it must be; undefined when they agree. */
export function findDifference(
  attributes: PayloadAttributes,
  { header, transactions }: Block,
): Difference | undefined {
  const fields: [string, unknown, unknown][] = [
    ['timestamp', attributes.timestamp, header.timestamp],
    ['mixHash', attributes.prevRandao, header.mixHash],
    ['parentBeaconBlockRoot', attributes.parentBeaconBlockRoot, header.parentBeaconBlockRoot],
    ['miner', attributes.feeRecipient, header.miner],
    ['gasLimit', attributes.gasLimit, header.gasLimit],
    ['transactions.length', attributes.transactions.length, transactions.length],
    ...attributes.transactions.map((raw, i): [string, unknown, unknown] => [
      `transactions[${i}]`,
      bytesToHex(raw),
      transactions[i] && bytesToHex(transactions[i].raw),
    ]),
  ]
  const different = fields.find(([, derived, built]) => derived !== built)
  if (!different) return undefined
  const [field, derived, built] = different
  return { field, derived: String(derived), built: String(built) }
}
