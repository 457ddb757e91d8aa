// Keccak-256 by itself, as a small module of its own: what crypto/keccak.ts runs. Its memory holds the
// tables and the state, and behind them the bytes to hash.
import { keccak256 } from './keccak256'

/** Where the bytes to hash go; memory grows until so many fit. */
export function inputAt(length: u32): usize {
  const end = <u64>__heap_base + length
  const have = <u64>memory.size() << 16
  if (end > have) memory.grow(<i32>((end - have + 0xffff) >> 16))
  return __heap_base
}

/** Hashes so many of those bytes; the digest lies where they lay. */
export function digest(length: u32): void {
  keccak256(__heap_base, length, __heap_base)
}
