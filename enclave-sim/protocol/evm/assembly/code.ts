// Deployed code by its hash, kept from message to message. It lies in one half of the arena; when that
// is full, what still runs moves into the other half and the rest is forgotten (Cheney 1970).
import { Account, epoch } from './account'
import { depth, Frame, frameAt } from './frame'
import { Arena, CODE, codeBytes, exhausted, OTHER_CODE, useCode } from './layout'
import { analysedBytes } from './code-analysis'
import { copy, equal } from './word'

/** Before the code: length, where it moved, message that made it (4 bytes each), at 16 its hash. */
const HEADER: usize = 48

const INDEX_SIZE: u32 = 1 << 17
const index: usize = memory.data(<i32>INDEX_SIZE * 4, 16)

/** Code of no length; what has none runs it, and stops. */
const NOTHING: usize = memory.data(128, 16)
export const NO_CODE: usize = NOTHING + HEADER

/** Another one makes all that was found stale. */
export let generation: u32 = 1

let free: usize = 0
let count: u32 = 0

/** Bytes that code takes with what stands around it. */
function spaceFor(length: u32): usize {
  return HEADER + analysedBytes(length)
}

export function codeLength(code: usize): u32 {
  return load<u32>(code - HEADER)
}

function place(hash: usize): usize {
  let entry = entryAt(load<u32>(hash))
  while (load<u32>(entry) && !equal(load<u32>(entry) - 32, hash)) {
    entry = entryAt(<u32>((entry - index) >> 2) + 1)
  }
  return entry
}

function entryAt(number: u32): usize {
  return index + (<usize>(number & (INDEX_SIZE - 1)) << 2)
}

/** Where the code of that hash lies; 0 when the host has to tell it. */
export function findCode(hash: usize): usize {
  return load<u32>(place(hash))
}

/** Room for code of that hash, whose bytes the caller writes before it calls `analyse`. */
export function addCode(hash: usize, length: u32, isNew: bool): usize {
  const space = spaceFor(length)
  if (free == 0) free = CODE
  if (free + space > CODE + codeBytes || count == INDEX_SIZE / 2) reclaim()
  if (free + space > CODE + codeBytes) exhausted(Arena.CODE)
  const code = free + HEADER
  free += space
  count++
  memory.fill(code - HEADER, 0, 16)
  store<u32>(code - HEADER, length)
  store<u32>(code - HEADER, isNew ? epoch : 0, 8)
  copy(code - 32, hash)
  store<u32>(place(hash), <u32>code)
  return code
}

/** Keeps code for this message: the state does not have it yet. */
export function markCodeNew(code: usize): void {
  store<u32>(code - HEADER, epoch, 8)
}

/** What code an account has: NO_CODE for none, 0 when the host has to tell it. */
export function codeOf(account: Account): usize {
  if (account.codeGeneration == generation) return account.code
  const code = account.hasCode ? findCode(account.codeHash) : NO_CODE
  if (code) {
    account.code = <u32>code
    account.codeGeneration = generation
  }
  return code
}

/** Between two messages: the host has to tell all code again. */
export function forgetCode(): void {
  memory.fill(index, 0, <usize>INDEX_SIZE * 4)
  generation++
  count = 0
  free = CODE
}

/** Moves code that runs, or that this message made, into the other half. */
function reclaim(): void {
  const from = CODE
  const end = free
  useCode(OTHER_CODE, from)
  forgetCode()
  for (let at = 0; at <= depth; at++) {
    const frame = frameAt(at)
    if (frame.code >= <u32>from && frame.code < <u32>end) frame.code = <u32>move(frame.code)
  }
  for (let block = from; block < end; block += spaceFor(load<u32>(block))) {
    if (load<u32>(block, 8) == epoch) move(block + HEADER)
  }
}

function move(code: usize): usize {
  const moved = <usize>load<u32>(code - HEADER, 4)
  if (moved) return moved
  const space = spaceFor(codeLength(code))
  memory.copy(free, code - HEADER, space)
  const to = free + HEADER
  free += space
  count++
  store<u32>(code - HEADER, <u32>to, 4)
  store<u32>(place(to - 32), <u32>to)
  return to
}

/** EIP-7702: 0xef0100 and an address. */
export function isDelegation(code: usize): bool {
  return codeLength(code) == 23 && (load<u32>(code) & 0xffffff) == 0x0001ef
}

const delegate: usize = memory.data(32, 16)

/** The address in a delegation, as a word. */
export function delegateOf(code: usize): usize {
  memory.fill(delegate, 0, 32)
  for (let byte: usize = 0; byte < 20; byte++) {
    store<u8>(delegate + byte, load<u8>(code + 22 - byte))
  }
  return delegate
}
