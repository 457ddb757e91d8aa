import { fromRlp, type Hex, hexToNumber, keccak256 } from 'viem'
import type { Batched } from './batched.ts'

/** Of one block: parent, number and hash of its origin, time, transactions as they were signed. */
type Fields = readonly [Hex, Hex, Hex, Hex, readonly Hex[]]

/**
 * The block of a singular batch. Source: OP specification, "Batch format".
 * @param content without the version byte
 * @throws Error where it is anything else
 */
export function readSingular(content: Uint8Array): Batched {
  const [parentCheck, epoch, originCheck, time, transactions] = fromRlp(
    content,
    'hex',
  ) as unknown as Fields
  return {
    ...{ isSpan: false, parentCheck, originCheck },
    blocks: [
      {
        ...{ time: numberOf(time), epoch: numberOf(epoch) },
        transactions: transactions.map((signed) => keccak256(signed)),
      },
    ],
  }
}

const numberOf = (field: Hex): number => (field === '0x' ? 0 : hexToNumber(field))
