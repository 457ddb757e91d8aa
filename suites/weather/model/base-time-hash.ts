import { concat, type Hex, keccak256, numberToHex, toRlp } from 'viem'
import { BASE_TIME, DEPOSITOR } from './predeploys.ts'

/** Of its deposits, beside those of users (0) and of L1's attributes (1). */
const DOMAIN = 3
/** setTimestampMillisPart(uint16) */
const SET_PART = '0x86bdf394'
const GAS = 1_000_000

/**
 * The hash of the deposit by which a block tells BaseTime its milliseconds: it commits to all of it.
 * Source: base/base, "200 ms blocks".
 * @param part milliseconds within the second
 */
export function baseTimeHash(number: number, part: number): Hex {
  const word = (value: number) => numberToHex(value, { size: 32 })
  const source = keccak256(concat([word(DOMAIN), keccak256(word(number))]))
  const data = concat([SET_PART, word(part)])
  const fields: Hex[] = [source, DEPOSITOR, BASE_TIME, '0x', '0x', numberToHex(GAS), '0x', data]
  return keccak256(concat(['0x7e', toRlp(fields)]))
}
