// What is common to the costs of opcodes.
import { Account, AccountFlag, addressOf, findAccount } from './account'
import { Frame } from './frame'
import { isSmall, isZero } from './word'

/** EIP-2929. */
export const COLD_ACCOUNT: i64 = 2_600
export const WARM_ACCESS: i64 = 100
export const COLD_SLOT: i64 = 2_100

/** More than any message has: the cost of what cannot be paid. */
export const UNPAYABLE: i64 = 1 << 62

/** Beyond it memory costs more gas than any message has. */
const MEMORY_LIMIT: u64 = 0x7fffffc0

/** How far the opcode that is being paid reaches into memory. */
export let memoryEnd: u32 = 0

/** The cost of so many words of memory (Yellow Paper, appendix H.1). */
function memoryCost(words: u64): i64 {
  return <i64>(words * 3 + (words * words) / 512)
}

/** What it costs to make the frame's memory reach over these bytes, given as two words. */
export function rangeGas(frame: Frame, offset: usize, length: usize): i64 {
  memoryEnd = 0
  return alsoRange(offset, length) ? extensionGas(frame) : UNPAYABLE
}

/** The same for two ranges. */
export function rangesGas(
  frame: Frame,
  offset: usize,
  length: usize,
  offset2: usize,
  length2: usize,
): i64 {
  memoryEnd = 0
  return alsoRange(offset, length) && alsoRange(offset2, length2)
    ? extensionGas(frame)
    : UNPAYABLE
}

/** The same for a range of known length. */
export function fixedRangeGas(frame: Frame, offset: usize, length: u32): i64 {
  if (!isSmall(offset)) return UNPAYABLE
  const end = <u64>load<u32>(offset) + length
  if (end > MEMORY_LIMIT) return UNPAYABLE
  memoryEnd = <u32>end
  return extensionGas(frame)
}

function alsoRange(offset: usize, length: usize): bool {
  if (isZero(length)) return true
  if (!isSmall(offset) || !isSmall(length)) return false
  const end = <u64>load<u32>(offset) + load<u32>(length)
  if (end > MEMORY_LIMIT) return false
  memoryEnd = max(memoryEnd, <u32>end)
  return true
}

function extensionGas(frame: Frame): i64 {
  if (memoryEnd <= frame.memorySize) return 0
  return memoryCost((<u64>memoryEnd + 31) >> 5) - memoryCost(frame.memorySize >> 5)
}

/** The cost of each word of a length. */
export function wordsGas(length: usize, each: u64): i64 {
  return isSmall(length) ? <i64>(((<u64>load<u32>(length) + 31) >> 5) * each) : UNPAYABLE
}

/** EIP-2929: what reading something of an account costs. */
export function accountGas(address: usize): i64 {
  const account = findAccount(addressOf(address))
  return account !== null && account.isWarm ? WARM_ACCESS : COLD_ACCOUNT
}

export function warm(account: Account): void {
  account.raise(AccountFlag.WARM)
}
