/** Big-endian bytes without the zeros in front; where there are none, the bytes themselves. */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  return zeros === 0 ? bytes : bytes.subarray(zeros)
}
