/** Where an instruction comes from: bytes of a source, by the compiler's number of it. */
export interface SourceRange {
  start: number
  length: number
  /** -1: the compiler made it up. */
  file: number
}

const PUSH1 = 0x60
const PUSH32 = 0x7f

/**
 * Where the instruction at a place in the code comes from; undefined where the map does not say.
 * Source: Solidity's documentation, "Source Mappings".
 * @param map of the code, as in `0:10:0:-:0;:5;;`
 * @example
 * sourceRange('10:20:0:-:0;:4', Uint8Array.of(0x5f, 0x43), 1) // { start: 10, length: 4, file: 0 }
 */
export function sourceRange(map: string, code: Uint8Array, pc: number): SourceRange | undefined {
  const wanted = instructionAt(code, pc)
  const last = { start: 0, length: 0, file: -1 }
  for (const [index, entry] of map.split(';').entries()) {
    const [start, length, file] = entry.split(':')
    if (start) last.start = Number(start)
    if (length) last.length = Number(length)
    if (file) last.file = Number(file)
    if (index === wanted) return last
  }
  return undefined
}

/** How many instructions come before; what is pushed counts for none. */
function instructionAt(code: Uint8Array, pc: number): number {
  let count = 0
  for (let at = 0; at < pc && at < code.length; at++) {
    const op = code[at]!
    if (op >= PUSH1 && op <= PUSH32) at += op - PUSH1 + 1
    count += 1
  }
  return count
}
