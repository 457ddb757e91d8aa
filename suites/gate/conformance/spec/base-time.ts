import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectBytes, expectQuantity } from '../matchers/expect-hex.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'
import { keccak256 } from './hash.ts'

/** Predeploy that tells the milliseconds within a second (base/docs, denim/200ms-blocks). */
export const BASE_TIME: Hex = '0x4200000000000000000000000000000000000030'
/** `timestampMillisPart()` and `timestampMs()`. */
export const MILLIS_PART: Hex = '0x7b2fea99'
export const TIMESTAMP_MS: Hex = '0x5745a677'
/** Milliseconds from a block to the next. */
export const SLOT = 200n

const DEPOSITOR: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
/** `setTimestampMillisPart(uint16)`. */
const SETTER = '86bdf394'
/** What the source of such a deposit is hashed under, as that of L1 attributes is under 1. */
const DOMAIN = 3n

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** keccak256(uint256(3) ‖ keccak256(uint256(number))): no two blocks have the same deposit. */
export function baseTimeSource(number: bigint): Hex {
  return keccak256(`0x${word(DOMAIN)}${keccak256(`0x${word(number)}`).slice(2)}`)
}

/** What the deposit of a block calls, for its milliseconds within the second. */
export function baseTimeInput(part: bigint): Hex {
  return `0x${SETTER}${word(part)}`
}

/** Whether a transaction sets BaseTime as the protocol does; a user's call of the setter does not. */
export function setsBaseTime({ type, from, to, input }: JsonObject): boolean {
  return (
    type === '0x7e' &&
    String(from).toLowerCase() === DEPOSITOR &&
    String(to).toLowerCase() === BASE_TIME &&
    String(input).startsWith(`0x${SETTER}`)
  )
}

/** Transactions of a block that lists them whole. */
export function wholeTransactions(block: JsonObject): JsonObject[] {
  return expectArray(block.transactions, 'transactions').map((each, index) =>
    expectObject(each, `transactions[${index}]`),
  )
}

/** Whether a block is one of 200 ms, by its second transaction or by what the node says of its time. */
export function isOfToday(block: JsonObject): boolean {
  const [, second] = Array.isArray(block.transactions) ? block.transactions : []
  const isSet = typeof second === 'object' && second !== null && setsBaseTime(second as JsonObject)
  return isSet || 'timestampMs' in block
}

/** Milliseconds since the epoch of a block of 200 ms, by its second and its own deposit. */
export function timeOf(block: JsonObject): bigint {
  return expectQuantity(block.timestamp, 'timestamp') * 1000n + partOf(block)
}

/** Milliseconds within the second, of the block's own deposit. @throws CaseFailure where it has none */
export function partOf(block: JsonObject): bigint {
  const at = 'transactions[1].input'
  const input = expectBytes(wholeTransactions(block)[1]?.input, at)
  const isSetter = /^0x86bdf3940{60}[0-9a-f]{4}$/.test(input)
  expectThat(isSetter, 'a call of setTimestampMillisPart(uint16), 36 bytes', input, at)
  return BigInt(`0x${input.slice(-4)}`)
}

/** @throws CaseFailure where a member of the deposit is not as it must be in this block */
export function expectBaseTimeDeposit(deposit: JsonObject | undefined, part: bigint): void {
  const at = (name: string) => `transactions[1].${name}`
  const { type, from, to, value, gas, input, mint = '0x0', isSystemTx = false } = deposit ?? {}
  expectEqual(type, '0x7e', at('type'))
  expectEqual(String(from).toLowerCase(), DEPOSITOR, at('from'))
  expectEqual(String(to).toLowerCase(), BASE_TIME, at('to'))
  expectEqual(value, '0x0', at('value'))
  // A node may leave out what is nothing.
  expectEqual(mint ?? '0x0', '0x0', at('mint'))
  expectEqual(isSystemTx, false, at('isSystemTx'))
  expectEqual(gas, '0xf4240', at('gas'))
  expectEqual(input, baseTimeInput(part), at('input'))
}
