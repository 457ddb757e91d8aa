import { permute } from './generated/permute'

/** Bytes that one permutation takes in: 1600 bits less twice 256. */
const RATE: usize = 136

const state: usize = memory.data(200, 16)

/** Keccak-256, as Ethereum uses it: 32 bytes at `out`. */
export function keccak256(at: usize, length: usize, out: usize): void {
  memory.fill(state, 0, 200)
  for (; length >= RATE; at += RATE, length -= RATE) {
    absorb(at, RATE)
    permute(state)
  }
  absorb(at, length)
  // Keccak's padding, before SHA-3 changed it.
  store<u8>(state + length, load<u8>(state + length) ^ 1)
  store<u8>(state + RATE - 1, load<u8>(state + RATE - 1) ^ 0x80)
  permute(state)
  memory.copy(out, state, 32)
}

function absorb(at: usize, length: usize): void {
  let index: usize = 0
  for (; index + 8 <= length; index += 8) {
    store<u64>(state + index, load<u64>(state + index) ^ load<u64>(at + index))
  }
  for (; index < length; index++) {
    store<u8>(state + index, load<u8>(state + index) ^ load<u8>(at + index))
  }
}
