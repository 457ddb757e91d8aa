// RLP (Yellow Paper, appendix B), written from the front: how long things are is told before.

const STRING: u32 = 0x80
const LIST: u32 = 0xc0
/** Up to it, the length stands in the first byte. */
const SHORT: u32 = 55

/** Bytes of a number without its leading zeros. */
// @ts-ignore: decorator
@inline
export function numberBytes(value: u64): u32 {
  return (71 - <u32>clz(value)) >> 3
}

/** How long a number is as an item. */
// @ts-ignore: decorator
@inline
export function numberLength(value: u64): u32 {
  return value < STRING ? 1 : 1 + numberBytes(value)
}

function headLength(payload: u32): u32 {
  return payload <= SHORT ? 1 : 1 + numberBytes(payload)
}

/** How long a list is whose items are so long together. */
export function listLength(payload: u32): u32 {
  return headLength(payload) + payload
}

/** How long a byte string is as an item. */
export function stringLength(at: usize, length: u32): u32 {
  return length == 1 && load<u8>(at) < STRING ? 1 : headLength(length) + length
}

/** @returns behind what was written, as all that follow */
export function writeNumber(to: usize, value: u64): usize {
  if (value == 0) {
    store<u8>(to, STRING)
    return to + 1
  }
  if (value < STRING) {
    store<u8>(to, value)
    return to + 1
  }
  const bytes = numberBytes(value)
  store<u8>(to, STRING + bytes)
  return writeBigEndian(to + 1, value, bytes)
}

export function writeString(to: usize, at: usize, length: u32): usize {
  if (length != 1 || load<u8>(at) >= STRING) to = writeHead(to, STRING, length)
  memory.copy(to, at, length)
  return to + length
}

export function writeListHead(to: usize, payload: u32): usize {
  return writeHead(to, LIST, payload)
}

function writeHead(to: usize, kind: u32, length: u32): usize {
  if (length <= SHORT) {
    store<u8>(to, kind + length)
    return to + 1
  }
  const bytes = numberBytes(length)
  store<u8>(to, kind + SHORT + bytes)
  return writeBigEndian(to + 1, length, bytes)
}

function writeBigEndian(to: usize, value: u64, bytes: u32): usize {
  for (let at = bytes; at > 0; at--) {
    store<u8>(to + at - 1, value)
    value >>= 8
  }
  return to + bytes
}
