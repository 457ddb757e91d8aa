// Where everything lies in linear memory. How much there can be of anything follows from the gas of a
// message, because all of it is paid for; so the arenas are laid out once, for the largest message
// that the engine is made for. Untouched memory costs nothing.

/** The most frames beside the first (Yellow Paper, 9.4.2). */
export const DEPTH_LIMIT: i32 = 1024
const STACK_LIMIT: usize = 1024

export const FRAME_BYTES: usize = 256
export const ACCOUNT_BYTES: usize = 256
export const SLOT_BYTES: usize = 128
export const TRANSIENT_BYTES: usize = 96
export const ENTRY_BYTES: usize = 48

/** What the least gas is that one more of each costs. */
const GAS_PER_ACCOUNT: u64 = 2_400
const GAS_PER_SLOT: u64 = 1_900
const GAS_PER_TRANSIENT: u64 = 100
const GAS_PER_ENTRY: u64 = 100
/** The dearest log by the byte has one byte of data: 64 bytes here for 383 gas. */
const GAS_PER_LOG_BYTE: u64 = 5
/** Accounts, slots and changes that come without being paid for: precompiles, vaults, predeploys. */
const ALLOWANCE: u64 = 4_096

/** One half of what deployed code has: some 500 contracts of the greatest size, with what is known of them. */
const CODE_BYTES: usize = 64 << 20

/** The arenas, in order; the numbers are also what `exhausted` tells. */
export const enum Arena {
  NONE,
  ACCOUNTS,
  SLOTS,
  TRANSIENT,
  JOURNAL,
  LOGS,
  RETURNED,
  CODE,
  MEMORY,
}

export let FRAMES: usize = 0
export let STACK: usize = 0
export let ACCOUNTS: usize = 0
export let ACCOUNT_INDEX: usize = 0
export let ACCOUNT_LIMIT: u32 = 0
export let SLOTS: usize = 0
export let SLOT_INDEX: usize = 0
export let SLOT_LIMIT: u32 = 0
export let TRANSIENT: usize = 0
export let TRANSIENT_INDEX: usize = 0
export let TRANSIENT_LIMIT: u32 = 0
export let JOURNAL: usize = 0
export let JOURNAL_END: usize = 0
export let LOGS: usize = 0
export let LOGS_END: usize = 0
export let RETURNED: usize = 0
export let RETURNED_BYTES: usize = 0
export let CODE: usize = 0
export let OTHER_CODE: usize = 0
/** Memory of the frames, one behind the other: all that follows. */
export let MEMORY: usize = 0
export let MEMORY_END: usize = 0

export let codeBytes: usize = CODE_BYTES
let free: u64 = 0
let exhaustedArena: Arena = Arena.NONE

function reserve(bytes: u64): usize {
  const start = <usize>free
  free = (free + bytes + 63) & ~63
  return start
}

/** Slots of an index for so many records: a power of two, at most half full. */
export function indexSize(records: u32): u32 {
  return <u32>1 << (33 - <u32>clz<u32>(records))
}

/**
 * Lays everything out for messages of so much gas. To be called once, on fresh memory.
 * @param code bytes for deployed code, 0 for the usual
 * @returns whether there is enough memory
 */
export function layOut(gas: u64, code: u32): bool {
  if (code) codeBytes = code
  ACCOUNT_LIMIT = <u32>(gas / GAS_PER_ACCOUNT + ALLOWANCE)
  SLOT_LIMIT = <u32>(gas / GAS_PER_SLOT + ALLOWANCE)
  TRANSIENT_LIMIT = <u32>(gas / GAS_PER_TRANSIENT + 1)
  free = <u64>((__heap_base + 63) & ~63)
  FRAMES = reserve(<u64>(DEPTH_LIMIT + 1) * FRAME_BYTES)
  STACK = reserve(<u64>(DEPTH_LIMIT + 1) * STACK_LIMIT * 32)
  ACCOUNTS = reserve(<u64>ACCOUNT_LIMIT * ACCOUNT_BYTES)
  ACCOUNT_INDEX = reserve(<u64>indexSize(ACCOUNT_LIMIT) * 8)
  SLOTS = reserve(<u64>SLOT_LIMIT * SLOT_BYTES)
  SLOT_INDEX = reserve(<u64>indexSize(SLOT_LIMIT) * 8)
  TRANSIENT = reserve(<u64>TRANSIENT_LIMIT * TRANSIENT_BYTES)
  TRANSIENT_INDEX = reserve(<u64>indexSize(TRANSIENT_LIMIT) * 8)
  JOURNAL = reserve((gas / GAS_PER_ENTRY + ALLOWANCE) * ENTRY_BYTES)
  JOURNAL_END = <usize>free
  LOGS = reserve(gas / GAS_PER_LOG_BYTE + ALLOWANCE)
  LOGS_END = <usize>free
  RETURNED_BYTES = <usize>payableBytes(gas) + 32
  RETURNED = reserve(RETURNED_BYTES)
  CODE = reserve(codeBytes)
  OTHER_CODE = reserve(codeBytes)
  MEMORY = <usize>free
  MEMORY_END = usize.MAX_VALUE - 0xffff
  return free < MEMORY_END && isThere(MEMORY)
}

/** The most memory that one frame can pay: words² / 512 are no more than the gas. */
function payableBytes(gas: u64): u64 {
  return <u64>Math.sqrt(<f64>gas * 512) * 32
}

/** Makes linear memory reach that far. */
export function isThere(end: usize): bool {
  const have = <u64>memory.size() << 16
  if (<u64>end <= have) return true
  // Some more at once, because growing is slow.
  const pages = <i32>((<u64>end - have + 0xffff) >> 16)
  return memory.grow(pages + 16) >= 0 || memory.grow(pages) >= 0
}

/** Makes frame memory reach that far, or gives the message up. */
export function needMemory(end: usize): void {
  if (end > MEMORY_END || !isThere(end)) exhausted(Arena.MEMORY)
}

/** Changes nothing but the limit of frame memory. For tests of what happens there. */
export function limitMemory(bytes: u32): void {
  MEMORY_END = MEMORY + bytes
}

/** Ends everything: the message needs more than its gas can pay, or the machine has. */
export function exhausted(arena: Arena): void {
  exhaustedArena = arena
  unreachable()
}

export function whatIsExhausted(): Arena {
  return exhaustedArena
}

export function useCode(code: usize, other: usize): void {
  CODE = code
  OTHER_CODE = other
}
