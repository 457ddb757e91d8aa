/** Where an instruction comes from: bytes of a source, by the compiler's number of it. */
export interface SourceRange {
  start: number
  length: number
  /** -1: the compiler made it up. */
  file: number
  /** Whether a jump there goes into a function or out of one; `-` is any other. */
  jump: 'i' | 'o' | '-'
}

const PUSH1 = 0x60
const PUSH32 = 0x7f

/**
 * Where the instruction at a place in the code comes from; undefined where the map does not say.
 * Source: Solidity's documentation, "Source Mappings".
 * @param map of the code, as in `0:10:0:-:0;:5;;`
 * @example
 * sourceRange('10:20:0:-:0;:4', Uint8Array.of(0x5f, 0x43), 1) // { start: 10, length: 4, file: 0, jump: '-' }
 */
export function sourceRange(map: string, code: Uint8Array, pc: number): SourceRange | undefined {
  const wanted = instructions(code).findLastIndex((at) => at <= pc)
  return rangesOf(map, wanted + 1)[wanted]
}

/** The same of every instruction, by its place in the code. */
export function sourceRanges(map: string, code: Uint8Array): Map<number, SourceRange> {
  const places = instructions(code)
  return new Map(rangesOf(map, places.length).map((range, index) => [places[index]!, range]))
}

/** One after the other: an entry names what differs from the one before. */
function rangesOf(map: string, limit: number): SourceRange[] {
  let last: SourceRange = { start: 0, length: 0, file: -1, jump: '-' }
  return map.split(';', limit).map((entry) => {
    const [start, length, file, jump] = entry.split(':')
    last = {
      start: start ? Number(start) : last.start,
      length: length ? Number(length) : last.length,
      file: file ? Number(file) : last.file,
      jump: isJump(jump) ? jump : last.jump,
    }
    return last
  })
}

const isJump = (text: string | undefined): text is SourceRange['jump'] =>
  text === 'i' || text === 'o' || text === '-'

/** Where instructions begin; what is pushed is none. */
function instructions(code: Uint8Array): number[] {
  const places: number[] = []
  for (let at = 0; at < code.length; at++) {
    places.push(at)
    const op = code[at]!
    if (op >= PUSH1 && op <= PUSH32) at += op - PUSH1 + 1
  }
  return places
}
