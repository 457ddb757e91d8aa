// Where things lie in the memory of the writer: a table of the block's calls, and behind it a pile on which
// everything is put, one thing behind the other, until the next block. Memory grows with the pile.

/** The most calls of a block (parse-simulation.ts). */
export const MOST_CALLS: u32 = 5_000
const CALL_BYTES: usize = 64
const HASH_BYTES: usize = 32

const TABLE: usize = (__heap_base + 63) & ~63
const HASHES: usize = TABLE + <usize>MOST_CALLS * CALL_BYTES
const PILE: usize = HASHES + <usize>MOST_CALLS * HASH_BYTES

/** A call of the block: where on the pile things of it lie, and how long they are. */
@unmanaged
export class Call {
  transaction: u32
  transactionLength: u32
  receipt: u32
  receiptLength: u32
  output: u32
  outputLength: u32
  logs: u32
  logsEnd: u32
  error: u32
  errorLength: u32
  status: u32
  type: u32
  gasUsed: u64
  maxUsedGas: u64
}

/** Behind what lies on the pile. */
export let top: usize = PILE

export function clearPile(): void {
  top = PILE
}

/** What is put on the pile next begins here. */
export function setTop(at: usize): void {
  top = at
}

/** Makes sure that so many bytes can be written on top of the pile. Memory that a machine lacks is a trap. */
export function makeRoom(bytes: usize): void {
  const end = <u64>top + bytes
  const have = <u64>memory.size() << 16
  if (end <= have) return
  const pages = <i32>((end - have + 0xffff) >> 16)
  // Twice as much, because growing is slow.
  if (memory.grow(pages + memory.size()) < 0 && memory.grow(pages) < 0) unreachable()
}

export function callAt(index: u32): Call {
  return changetype<Call>(TABLE + <usize>index * CALL_BYTES)
}

/** Of the transaction: 32 bytes. */
export function hashOf(index: u32): usize {
  return HASHES + (<usize>index << 5)
}
