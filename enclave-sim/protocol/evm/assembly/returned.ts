// What the last inner call gave back.
import { Arena, exhausted, RETURNED, RETURNED_BYTES } from './layout'

export let returnedLength: u32 = 0

export function keepReturned(at: usize, length: u32): void {
  if (<usize>length > RETURNED_BYTES) exhausted(Arena.RETURNED)
  memory.copy(RETURNED, at, length)
  returnedLength = length
}

export function clearReturned(): void {
  returnedLength = 0
}
