import { bigIntToBytes, concatBytes, setLengthLeft } from '@ethereumjs/util'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { BASE_TIME } from '../execution/predeploys.ts'
import { encodeDeposit } from '../transaction/encode-deposit.ts'
import { isDeposit, type Transaction } from '../types/transaction.ts'
import { L1_ATTRIBUTES_DEPOSITOR } from './l1-attributes.ts'

/** The domain of a deposit that brings the time. */
const BASE_TIME_DOMAIN = 3n
const GAS = 1_000_000n
/** First four bytes of keccak256 of setTimestampMillisPart(uint16). */
export const SETTER_SELECTOR = '0x86bdf394'
const LENGTH = 36
/** Of the milliseconds within a second. */
const STEP = 200
const LAST = 800

/**
 * The second transaction of a block of Denim, in EIP-2718 form: it tells BaseTime how far within its
 * second the block is.
 * Source: base/base base_time.rs and source.rs; base/docs 200ms-blocks.
 * @param number of the L2 block; `timestampMs` its time in milliseconds since 1970
 */
export function encodeBaseTime(number: bigint, timestampMs: bigint): Uint8Array {
  return encodeDeposit({
    sourceHash: bytesToHex(keccak256(concatBytes(word(BASE_TIME_DOMAIN), keccak256(word(number))))),
    from: L1_ATTRIBUTES_DEPOSITOR,
    to: BASE_TIME,
    mint: 0n,
    value: 0n,
    gas: GAS,
    isSystemTransaction: false,
    data: concatBytes(hexToBytes(SETTER_SELECTOR), word(timestampMs % 1000n)),
  })
}

/**
 * Milliseconds within its second, as a block's second transaction tells; undefined where that is no
 * deposit to BaseTime: before Denim, and in a genesis block.
 */
export function millisPart(transactions: readonly Transaction[]): number | undefined {
  const second = transactions[1]
  if (!second || !isDeposit(second) || second.to !== BASE_TIME) return undefined
  if (second.from !== L1_ATTRIBUTES_DEPOSITOR || second.data.length !== LENGTH) return undefined
  const hex = bytesToHex(second.data)
  const part = Number(`0x${hex.slice(SETTER_SELECTOR.length)}`)
  const isSetter = hex.startsWith(SETTER_SELECTOR)
  return isSetter && part <= LAST && part % STEP === 0 ? part : undefined
}

/** When a block is, in milliseconds since 1970: by what it says itself. */
export function timestampMs(block: {
  header: { timestamp: bigint }
  transactions: readonly Transaction[]
}): bigint {
  return block.header.timestamp * 1000n + BigInt(millisPart(block.transactions) ?? 0)
}

function word(value: bigint): Uint8Array {
  return setLengthLeft(bigIntToBytes(value), 32)
}
